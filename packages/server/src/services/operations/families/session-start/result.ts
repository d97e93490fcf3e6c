/**
 * The result that the page of a session start posts at the end. It must be well formed, be about the stored request,
 * and agree with the recorded progress.
 */
import {
  type Fields,
  type JsonObject,
  listOf,
  member,
  OperationStatus,
  operationConflict,
  operationFlaw,
} from '@handover/core';
import { isAboutRequest, sessionResultFlaw } from '@handover/evm';
import type { ReadPost } from '../family.js';
import { resultCommand, withoutSecret } from '../result-post.js';

const STATUSES: readonly OperationStatus[] = Object.values(OperationStatus);

export const readSessionResult: ReadPost = async (deps, record, body) => {
  const { state } = record;
  const plain = withoutSecret(body);
  const flaw = sessionResultFlaw(plain, state.id);
  if (flaw !== undefined) return { rejection: operationFlaw(flaw) };
  const conflict = (message: string) => ({ rejection: operationConflict(state, message) });
  const { request } = await deps.documents.created(record);
  if (!isAboutRequest(plain as Fields, request as unknown as Fields))
    return conflict('the result is not about the stored request');
  const differs = listOf(member(plain, 'results')).some((entry, i) => {
    const claim = state.steps[i]?.claim;
    return claim !== undefined && member(entry, 'sessionId') !== claim.sessionId;
  });
  if (differs) return conflict('the result and the recorded progress differ');
  const outcome = STATUSES.find((word) => word === member(plain, 'status')) ?? OperationStatus.Failed;
  return { value: resultCommand(deps, plain as JsonObject, outcome) };
};
