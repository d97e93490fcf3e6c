/** create_xdala_bundle_deploy_handoff: the server validates the bundle itself and shows an invalid one to nobody. */
import type { Fields, JsonObject } from '@handover/core';
import { deploymentSteps, operationDigest, validateMultiBundle } from '@handover/evm';
import type { Principal } from '../../../../auth/principal.js';
import type { Outcome } from '../../../outcome.js';
import { answered } from '../../answered.js';
import type { OperationDependencies } from '../../dependencies.js';
import { idFor, invalidRequest, issue } from '../../issue.js';
import { bundleDeployService } from './bundle-deploy.js';

export interface BundleArguments {
  readonly network: string;
  readonly chainId: number;
  readonly bundle: JsonObject;
  readonly summary?: JsonObject;
  /** The agent's own validation, kept under `claimed` beside the server's. */
  readonly validation?: JsonObject;
  readonly ttlSeconds?: number;
  readonly idempotencyKey?: string;
}

export async function createBundleDeploy(
  deps: OperationDependencies,
  principal: Principal,
  args: BundleArguments,
): Promise<Outcome<JsonObject>> {
  const { network, chainId, bundle, summary = {}, validation } = args;
  const findings = validateMultiBundle(bundle);
  if (!findings.valid) return { rejection: invalidRequest('invalid xgr-multi-bundle@1', findings) };
  const id = idFor(deps, principal, bundleDeployService, args.idempotencyKey);
  const steps = deploymentSteps(bundle as Fields).map(({ id: step, kind, reuse }) => ({
    id: step,
    // A rule that is already on the chain needs nothing; an orchestration that is already there gets its text set.
    ...(kind === 'xrc137' && reuse !== undefined && { skipped: true }),
  }));
  const issued = await issue(deps, principal, bundleDeployService, {
    id,
    chainId,
    ...(args.ttlSeconds !== undefined && { ttlSeconds: args.ttlSeconds }),
    digest: operationDigest(chainId, { bundle }, deps.codec),
    steps,
    document: {
      network,
      chainId,
      summary,
      validation: { ...findings, ...(validation && { claimed: validation }) },
      bundle,
    } as unknown as JsonObject,
  });
  if ('rejection' in issued) return issued;
  const { record, url } = issued.value;
  return answered(await bundleDeployService.createdAnswer(deps, record, url), url);
}
