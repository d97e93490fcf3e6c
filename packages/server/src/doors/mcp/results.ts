/** The one form of every result: a value as one block of JSON text, and the same value as structured content. */
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

export function toolResult(shape: ResultShape, value: JsonObject, isError: boolean): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: shape === ResultShape.DATA ? { data: value } : value,
    ...(isError && { isError }),
  };
}
