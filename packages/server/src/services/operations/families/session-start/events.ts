import { type JsonObject, listOf, member } from '@handover/core';

export function sessionResultEvent(document: JsonObject): JsonObject {
  const { completedAt = null, inputType = null, status = null } = document;
  const results = listOf(document.results);
  const okCount = results.filter((entry) => member(entry, 'ok') === true).length;
  return {
    type: 'session_start_result_received',
    completedAt,
    inputType,
    status,
    resultCount: results.length,
    okCount,
    failedCount: results.length - okCount,
  };
}
