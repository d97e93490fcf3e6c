/** What a page posts at the end: whether it is well formed, and about the record that it is posted to. */
import {
  Family,
  type Fields,
  isFields,
  type JsonObject,
  listOf,
  member,
  type OperationState,
  OperationStatus,
  operationConflict,
  operationFlaw,
  type Rejection,
} from '@handover/core';
import { bundleResultFlaw, deployedItems, isAboutRequest, sessionResultFlaw } from '@handover/evm';

const STATUSES: readonly OperationStatus[] = Object.values(OperationStatus);

export function resultFlaw(state: OperationState, created: Fields, body: unknown): Rejection | undefined {
  const plain = withoutSecret(body);
  const flaw =
    state.family === Family.BundleDeploy
      ? bundleResultFlaw(plain, state.id)
      : sessionResultFlaw(plain, state.id);
  if (flaw !== undefined) return operationFlaw(flaw);
  const conflict = (message: string) => operationConflict(state, message);
  if (state.family === Family.BundleDeploy) {
    const items = deployedItems(member(plain, 'artifact') as Fields, created.bundle as Fields);
    return items ? undefined : conflict('the artifact is not about the stored bundle');
  }
  if (!isAboutRequest(plain as Fields, created.request as Fields))
    return conflict('the result is not about the stored request');
  const differs = listOf(member(plain, 'results')).some((entry, i) => {
    const claim = state.steps[i]?.claim;
    return claim !== undefined && member(entry, 'sessionId') !== claim.sessionId;
  });
  return differs ? conflict('the result and the recorded progress differ') : undefined;
}

const withoutSecret = (body: unknown): unknown => {
  if (!isFields(body)) return body;
  const { secret: _secret, ...plain } = body;
  return plain;
};

/** Extra keys are dropped; a session result has none. */
export function keptResult(family: Family, body: JsonObject): JsonObject {
  if (family === Family.SessionStart) return withoutSecret(body) as JsonObject;
  const { handle, type, status, completedAt, inputType, artifact, deployResults, requestSummary } = body;
  return {
    handle: handle ?? null,
    type: type ?? null,
    status: status ?? null,
    completedAt: completedAt ?? null,
    inputType: String(inputType).trim(),
    artifact: artifact ?? null,
    deployResults: deployResults ?? null,
    ...(requestSummary !== undefined && { requestSummary }),
  };
}

export function outcomeOf(family: Family, { status }: JsonObject): OperationStatus {
  if (family === Family.BundleDeploy) return OperationStatus.Deployed;
  return STATUSES.find((word) => word === status) ?? OperationStatus.Failed;
}
