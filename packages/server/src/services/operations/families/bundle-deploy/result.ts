/** The result that the page of a bundle posts at the end. It must be well formed, and about the stored bundle. */
import { type Fields, isFields, type JsonObject, type OperationState, OperationStatus } from '@handover/core';
import { bundleResultFlaw, deployedItems } from '@handover/evm';
import type { Documents, ResultReading } from '../family-documents.js';
import { withoutSecret } from '../result-post.js';

export function readBundleResult({ created, posted }: Documents, { id }: OperationState): ResultReading {
  const plain = withoutSecret(posted);
  const flaw = bundleResultFlaw(plain, id);
  if (flaw !== undefined) return { flaw };
  const document = kept(plain as JsonObject);
  const { bundle } = created;
  const items = deployedItems(document.artifact as unknown as Fields, isFields(bundle) ? bundle : {});
  if (!items) return { conflict: 'the artifact is not about the stored bundle' };
  return { document, outcome: OperationStatus.Deployed };
}

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
