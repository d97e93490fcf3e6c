/** create_xdala_bundle_deploy_handoff: the server validates the bundle itself and shows an invalid one to nobody. */
import {
  hasKeyMaterial,
  Issues,
  type JsonObject,
  KEY_MATERIAL_CODE,
  KEY_MATERIAL_MESSAGE,
  type Rejection,
  refuseSecrets,
} from '@handover/core';
import type { Principal } from '../../../../auth/principal.js';
import { LongWork } from '../../../../platform/long-work.js';
import type { Outcome } from '../../../outcome.js';
import { answered } from '../../answered.js';
import type { OperationDependencies } from '../../dependencies.js';
import { withMember } from '../../document.js';
import { invalidRequest } from '../../invalid-request.js';
import { idFor, issue } from '../../issue.js';
import { keyIn, refusedKey } from '../../key-refusal.js';
import { repeatable } from '../../repeatable.js';
import { bundleDeployService } from './bundle-deploy.js';
import { CheckedBundle, checkBundle } from './check.js';

export interface BundleArguments {
  readonly network: string;
  readonly chainId: number;
  /** A large one was checked before it came here. */
  readonly bundle: JsonObject | CheckedBundle;
  readonly summary?: JsonObject;
  /** The agent's own validation, kept under `claimed` beside the server's. */
  readonly validation?: JsonObject;
  readonly ttlSeconds?: number;
  readonly idempotencyKey?: string;
  readonly replaces?: string;
}

export async function createBundleDeploy(
  deps: OperationDependencies,
  principal: Principal,
  args: BundleArguments,
): Promise<Outcome<JsonObject>> {
  const { network, chainId, bundle, summary = {}, validation } = args;
  const words = await wordsFlaw(deps, { summary, validation });
  if (words) return { rejection: words };
  const { findings, steps, digest, json, key } =
    bundle instanceof CheckedBundle
      ? bundle.check
      : await new LongWork().run(checkBundle(bundle, chainId, deps.codec));
  if (key) return { rejection: refusedKey(deps, key) };
  if (!steps || digest === undefined || !json)
    return { rejection: invalidRequest('invalid xgr-multi-bundle@1', findings) };
  const document = {
    network,
    chainId,
    summary,
    validation: { ...findings, ...(validation && { claimed: validation }) },
  } as unknown as JsonObject;
  const issued = await issue(deps, principal, bundleDeployService, {
    id: idFor(deps, principal, bundleDeployService, args.idempotencyKey),
    chainId,
    ...(args.ttlSeconds !== undefined && { ttlSeconds: args.ttlSeconds }),
    digest,
    steps,
    asked: digest,
    ...repeatable(args, { bundle: digest }),
    document: withMember(document, 'bundle', json),
  });
  if ('rejection' in issued) return issued;
  return answered(deps, bundleDeployService, issued.value);
}

/** What an agent says beside the bundle holds no more of keys and secrets than the bundle itself may. */
async function wordsFlaw(deps: OperationDependencies, words: object): Promise<Rejection | undefined> {
  const issues = new Issues();
  refuseSecrets(words, issues);
  if (hasKeyMaterial(words)) issues.error(KEY_MATERIAL_CODE, undefined, KEY_MATERIAL_MESSAGE);
  const findings = issues.findings();
  return findings.valid ? keyIn(deps, words) : invalidRequest('summary or validation is not valid', findings);
}
