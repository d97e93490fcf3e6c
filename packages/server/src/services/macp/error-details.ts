/**
 * The details of a MACPError: UTF-8 JSON with what a program needs to act on a refusal, or nothing. Its members are
 * `reasons` and `denials` (of a policy; docs/spec/macp-2026.md 2.3), and `retry_after_ms` (how long to wait before the same request may succeed).
 */
import type { Codec, Denial, JsonObject, Rejection } from '@handover/core';

const NOTHING = new Uint8Array(0);

export function errorDetails(
  { reasons, denials, details }: Pick<Rejection, 'reasons' | 'denials' | 'details'>,
  codec: Codec,
): Uint8Array {
  const retryAfterMs = details?.retryAfterMs;
  if (reasons === undefined && retryAfterMs === undefined) return NOTHING;
  return codec.utf8(
    JSON.stringify({
      ...(reasons && { reasons, denials: (denials ?? reasons.map(unspecified)).map(written) }),
      ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    }),
  );
}

/** A reason for which the policy gave no code. */
const unspecified = (message: string): Denial => ({ code: 'unspecified', message });

/** Each participant once and in order; none at all when nobody in particular is meant. */
function written({ code, message, participants = [] }: Denial): JsonObject {
  if (participants.length === 0) return { code, message };
  return { code, message, participants: [...new Set(participants)].sort() };
}

/** The wait that these details name, for doors that also say it in a header. */
export function waitIn(details: Uint8Array): number | undefined {
  if (details.length === 0) return undefined;
  const { retry_after_ms: wait } = JSON.parse(Buffer.from(details).toString('utf8')) as {
    readonly retry_after_ms?: number;
  };
  return wait;
}

/** Headers and trailers say it in whole seconds, rounded up: whoever comes back earlier is refused again. */
export function wholeSeconds(ms: number): string {
  return String(Math.ceil(ms / 1_000));
}
