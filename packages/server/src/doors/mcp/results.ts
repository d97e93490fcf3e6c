/**
 * The one form of every result: a value as one block of JSON text, and the same value as structured content. A failure
 * is the text alone: clients hold structured content against the schema of a success, and refuse to show what does not
 * fit it.
 */
import type { JsonObject } from '@handover/core';
import type { CallToolResult } from '@modelcontextprotocol/server';

/** How the value of a tool becomes its result; each tool says which. */
export const ResultShape = {
  /** Tools of handoffs and configuration: the fields of the value, with `success`. */
  FIELDS: 'fields',
  /**
   * Tools of operations: the value as it is (one of them is a list), without `success`. In structured content it is
   * under `data`.
   */
  DATA: 'data',
} as const;
export type ResultShape = (typeof ResultShape)[keyof typeof ResultShape];

export function successResult(
  shape: ResultShape,
  value: JsonObject,
  content: CallToolResult['content'] = textOf(value),
): CallToolResult {
  return { content, structuredContent: shape === ResultShape.DATA ? { data: value } : value };
}

export function errorResult(payload: JsonObject): CallToolResult {
  return { content: textOf(payload), isError: true };
}

const textOf = (value: JsonObject): CallToolResult['content'] => [
  { type: 'text', text: JSON.stringify(value) },
];
