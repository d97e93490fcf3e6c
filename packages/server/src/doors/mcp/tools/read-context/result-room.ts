/** What every result of readContext has beside what was read, and how much room that leaves. */
import type { JsonObject, Rejection } from '@handover/core';
import { fieldFlaw } from '../../../../services/handoffs/field-flaw.js';
import { bytesOfTokens, jsonBytes, tokensOfBytes } from '../../token-room.js';
import type { ReadContextArgs } from '../read-context.js';

/** Below this, going on would take more calls than it is worth. */
export const LEAST_CONTENT_BYTES = 120;

/** The same call again, from another place. */
export const nextCall = (
  { limit, maxTokens, sessionKey, handoffId }: Partial<ReadContextArgs>,
  place: JsonObject,
): JsonObject => ({
  tool: 'readContext',
  arguments: {
    ...(sessionKey !== undefined && { sessionKey }),
    ...(handoffId !== undefined && { handoffId }),
    ...place,
    ...(limit !== undefined && { limit }),
    ...(maxTokens !== undefined && { maxTokens }),
  },
});

/** Bytes that are left for `one` and those like it, when the result holds `frame`; too few are refused, with the least. */
export function roomIn(frame: JsonObject, one: JsonObject, maxTokens: number): number | Rejection {
  const fixed = jsonBytes({ success: true, ...frame });
  const least = tokensOfBytes(fixed + jsonBytes(one) + LEAST_CONTENT_BYTES);
  if (maxTokens < least) return fieldFlaw('maxTokens', `must be at least ${least} here`);
  return bytesOfTokens(maxTokens) - fixed;
}
