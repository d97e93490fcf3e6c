/**
 * The details of a MACPError: UTF-8 JSON with what a program needs to act on a refusal, or nothing. Its members are
 * `reasons` (of a policy) and `retry_after_ms` (how long to wait before the same request may succeed).
 */
import type { Codec, Rejection } from '@handover/core';

const NOTHING = new Uint8Array(0);

export function errorDetails(
  { reasons, details }: Pick<Rejection, 'reasons' | 'details'>,
  codec: Codec,
): Uint8Array {
  const retryAfterMs = details?.retryAfterMs;
  if (reasons === undefined && retryAfterMs === undefined) return NOTHING;
  return codec.utf8(
    JSON.stringify({
      ...(reasons && { reasons }),
      ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    }),
  );
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
