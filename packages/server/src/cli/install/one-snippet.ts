/** What a person pastes into one file: several pieces of JSON are one document, so that each name stands there once. */
import { isFields } from '@handover/core';

export function oneSnippet(snippets: readonly string[]): string {
  const parsed = snippets.map(parse);
  return parsed.every(isFields)
    ? JSON.stringify(parsed.reduce<unknown>(merged, {}), null, 2)
    : snippets.map((snippet) => snippet.trimEnd()).join('\n');
}

function merged(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (!isFields(one) || !isFields(other)) return other;
  const both = Object.entries(other).map(([name, value]) => [
    name,
    Object.hasOwn(one, name) ? merged(one[name], value) : value,
  ]);
  return { ...one, ...Object.fromEntries(both) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
