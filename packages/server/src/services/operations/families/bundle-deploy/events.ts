import { type JsonObject, listOf } from '@handover/core';

export function bundleResultEvent(document: JsonObject): JsonObject {
  const { completedAt = null, inputType = null } = document;
  const deployResultsCount = listOf(document.deployResults).length;
  return { type: 'result_received', completedAt, inputType, deployResultsCount };
}
