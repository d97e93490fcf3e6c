/** What the server needs of a bundle that is to be deployed: found out here for small ones, in a thread for large ones. */
import type { Codec, Fields, NewStep } from '@handover/core';
import { type BundleFindings, deploymentSteps, operationDigest, validateMultiBundle } from '@handover/evm';
import { type FoundKey, lookForKeys } from '@handover/evm/key-material';
import { documentBytes } from '../../document.js';

export interface BundleCheck {
  readonly findings: BundleFindings;
  /** Of a valid bundle that is to be stored for a chain. */
  readonly steps?: readonly NewStep[];
  readonly digest?: string;
  /** It holds a key, and must not be stored. */
  readonly key?: FoundKey;
  /** The bundle as it is stored. */
  readonly json?: Uint8Array;
}

/** Stands in a message in the place of a bundle that was checked already. */
export class CheckedBundle {
  readonly check: BundleCheck;

  constructor(check: BundleCheck) {
    this.check = check;
  }
}

/** Without a chain it is only validated. Yields how much it has looked through since. */
export function* checkBundle(
  bundle: unknown,
  chainId: unknown,
  codec: Codec,
): Generator<number, BundleCheck> {
  const findings = validateMultiBundle(bundle);
  if (!findings.valid || typeof chainId !== 'number') return { findings };
  const key = yield* lookForKeys({ bundle }, codec);
  if (key) return { findings, key };
  const steps = deploymentSteps(bundle as Fields).map(({ id, kind, reuse }) => ({
    id,
    call: { kind, ...(reuse !== undefined && { to: reuse }) },
    // A rule that is already on the chain needs nothing; an orchestration that is already there gets its text set.
    ...(kind === 'xrc137' && reuse !== undefined && { skipped: true }),
  }));
  const digest = operationDigest(chainId, { bundle: bundle as never }, codec);
  return { findings, steps, digest, json: documentBytes(codec, bundle) };
}
