import { RejectionCode } from '@handover/core';
import type { Change } from '../../../services/macp/registries.js';
import { errorText } from '../../../services/macp/rpc/registry-answer.js';
import { statusOfRejection } from '../errors.js';
import type { Reply } from '../unary.js';

export interface RegistryOutcome {
  readonly ok: boolean;
  readonly error: string;
}

/**
 * A caller without authority gets a gRPC status. Any other rejection goes into the response; clients tell a definition
 * that cannot be taken from a name that is taken by the code before its text (docs/spec/macp-2026.md 2.4).
 */
export async function registryReply(
  change: Change,
  encode: (outcome: RegistryOutcome) => Uint8Array,
): Promise<Reply> {
  const rejection = await change;
  if (!rejection) return encode({ ok: true, error: '' });
  if (rejection.code === RejectionCode.FORBIDDEN) return statusOfRejection(rejection);
  return encode({ ok: false, error: errorText(rejection) });
}
