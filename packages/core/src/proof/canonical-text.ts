import { canonicalJson, type Json } from '../log/json.js';
import type { Flaw } from './flaw.js';

/**
 * Reads a document that was written as canonical JSON. White space between tokens may have changed; anything else (a key
 * twice, another order, a number or text spelled otherwise) could show people one thing and programs another.
 */
export function readCanonical(text: string): { readonly value: Json } | { readonly flaw: Flaw } {
  try {
    const value = JSON.parse(text) as Json;
    if (equalButForSpace(text, canonicalJson(value))) return { value };
  } catch {
    // Not JSON, or nested more deeply than anything that we write.
    return { flaw: { path: '', what: 'the document is not JSON' } };
  }
  const what =
    'the document is not canonical JSON: a key stands twice or out of order, or a value is spelled otherwise';
  return { flaw: { path: '', what } };
}

/** Space counts inside texts only. It is a loop because regular expressions run out of stack on a large payload. */
function equalButForSpace(json: string, canonical: string): boolean {
  let inText = false;
  let at = 0;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (!inText && (char === ' ' || char === '\n' || char === '\r' || char === '\t')) continue;
    if (char !== canonical[at++]) return false;
    if (char === '"') inText = !inText;
    // An escaped character neither begins nor ends a text.
    else if (inText && char === '\\' && json[++i] !== canonical[at++]) return false;
  }
  return at === canonical.length;
}
