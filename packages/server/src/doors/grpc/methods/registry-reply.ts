import { RejectionCode } from '@handover/core';
import type { Change } from '../../../services/macp/registries.js';
import { statusOfRejection } from '../errors.js';
import type { Reply } from '../unary.js';

export interface RegistryOutcome {
  readonly ok: boolean;
  readonly error: string;
}

/** A lack of authority refuses the call; any other no of a registry is its answer. */
export async function registryReply(
  change: Change,
  encode: (outcome: RegistryOutcome) => Uint8Array,
): Promise<Reply> {
  const rejection = await change;
  if (!rejection) return encode({ ok: true, error: '' });
  if (rejection.code === RejectionCode.FORBIDDEN) return statusOfRejection(rejection);
  return encode({ ok: false, error: rejection.message });
}
