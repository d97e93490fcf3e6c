import { RejectionCode } from '@handover/core';
import type { Change } from '../registries.js';
import type { RpcRefusal } from './rpc.js';

interface RegistryOutcome {
  readonly ok: boolean;
  readonly error: string;
}

/** A caller without authority is refused as a whole. Any other rejection goes into the response. */
export async function registryAnswer(
  change: Change,
): Promise<{ readonly value: RegistryOutcome } | { readonly rejection: RpcRefusal }> {
  const rejection = await change;
  if (!rejection) return { value: { ok: true, error: '' } };
  if (rejection.code === RejectionCode.FORBIDDEN) return { rejection };
  return { value: { ok: false, error: rejection.message } };
}
