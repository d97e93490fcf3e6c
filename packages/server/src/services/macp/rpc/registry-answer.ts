import { type Rejection, RejectionCode } from '@handover/core';
import type { Change } from '../registries.js';

interface RegistryOutcome {
  readonly ok: boolean;
  readonly error: string;
}

/** A caller without authority, or beyond its rate, is refused as a whole. Any other rejection goes into the response. */
export async function registryAnswer(
  change: Change,
): Promise<{ readonly value: RegistryOutcome } | { readonly rejection: Rejection }> {
  const rejection = await change;
  if (!rejection) return { value: { ok: true, error: '' } };
  if (rejection.code === RejectionCode.FORBIDDEN || rejection.code === RejectionCode.RATE_LIMITED)
    return { rejection };
  return { value: { ok: false, error: errorText(rejection) } };
}

/**
 * Clients tell a definition that cannot be taken from a name that is taken by the code before its text
 * (docs/spec/macp-2026.md 2.4).
 */
export function errorText({ code, message }: Rejection): string {
  return code === RejectionCode.INVALID_POLICY_DEFINITION ? `${code}: ${message}` : message;
}
