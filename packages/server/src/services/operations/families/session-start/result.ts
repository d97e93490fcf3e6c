/**
 * The result that the page of a session start posts at the end. It must be well formed, be about the stored request,
 * and agree with the recorded progress.
 */
import {
  type Fields,
  type JsonObject,
  listOf,
  member,
  type OperationState,
  OperationStatus,
} from '@handover/core';
import { isAboutRequest, sessionResultFlaw } from '@handover/evm';
import type { Documents, ResultReading } from '../family-documents.js';
import { withoutSecret } from '../result-post.js';

const STATUSES: readonly OperationStatus[] = Object.values(OperationStatus);

export function readSessionResult({ created, posted }: Documents, state: OperationState): ResultReading {
  const plain = withoutSecret(posted);
  const flaw = sessionResultFlaw(plain, state.id);
  if (flaw !== undefined) return { flaw };
  if (!isAboutRequest(plain as Fields, created.request as unknown as Fields))
    return { conflict: 'the result is not about the stored request' };
  const differs = listOf(member(plain, 'results')).some((entry, i) => {
    const claims = state.steps[i]?.claims ?? [];
    return claims.length > 0 && claims.every(({ value }) => member(entry, 'sessionId') !== value);
  });
  if (differs) return { conflict: 'the result and the recorded progress differ' };
  const outcome = STATUSES.find((word) => word === member(plain, 'status')) ?? OperationStatus.Failed;
  return { document: plain as JsonObject, outcome };
}
