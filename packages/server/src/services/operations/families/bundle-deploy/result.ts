/** The result that the page of a bundle posts at the end. It must be well formed, and about the stored bundle. */
import {
  type Fields,
  type JsonObject,
  OperationStatus,
  operationConflict,
  operationFlaw,
} from '@handover/core';
import { bundleResultFlaw, deployedItems } from '@handover/evm';
import type { ReadPost } from '../family.js';
import { resultCommand, withoutSecret } from '../result-post.js';

export const readBundleResult: ReadPost = async (deps, record, body) => {
  const { state } = record;
  const plain = withoutSecret(body);
  const flaw = bundleResultFlaw(plain, state.id);
  if (flaw !== undefined) return { rejection: operationFlaw(flaw) };
  const document = kept(plain as JsonObject);
  const { bundle } = await deps.documents.created(record);
  if (!deployedItems(document.artifact as unknown as Fields, bundle as unknown as Fields))
    return { rejection: operationConflict(state, 'the artifact is not about the stored bundle') };
  return { value: resultCommand(deps, document, OperationStatus.Deployed) };
};

/** Extra keys are dropped. */
function kept(body: JsonObject): JsonObject {
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
