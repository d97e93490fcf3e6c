import { canonicalJson, type Json } from '../log/json.js';
import type { Flaw } from './flaw.js';

/**
 * Reads a document that was written as canonical JSON. White space between tokens may have changed; anything else (a key
 * twice, another order, a number or text spelled otherwise) could show people one thing and programs another.
 */
export function readCanonical(text: string): { readonly value: Json } | { readonly flaw: Flaw } {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return { flaw: { path: '', what: 'the document is not JSON' } };
  }
  if (withoutSpace(text) === canonicalJson(value)) return { value };
  return {
    flaw: {
      path: '',
      what: 'the document is not canonical JSON: a key stands twice or out of order, or a value is spelled otherwise',
    },
  };
}

/** Texts stay as they are, the space between tokens goes. */
function withoutSpace(json: string): string {
  return json.replace(
    /("[^"\\]*(?:\\.[^"\\]*)*")|[ \t\n\r]+/g,
    (_, string: string | undefined) => string ?? '',
  );
}
