/** The one form of every result: a value as one block of JSON text, and the same value as structured content. */
import type { JsonObject } from '@handover/core';
import type { CallToolResult } from '@modelcontextprotocol/server';

/** Seed 004's names have underscores, and its results carry the value under `data`. */
const SNAKE_CASE = /_/;

export function toolResult(tool: string, value: JsonObject, isError: boolean): CallToolResult {
  const structuredContent = SNAKE_CASE.test(tool) ? { data: value } : value;
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent,
    ...(isError && { isError }),
  };
}
