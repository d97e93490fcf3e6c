/** Words that somebody looks for in the entries of working sessions: all must occur, `"a b"` as it stands. */
import { folded } from './folded.js';

export interface Query {
  /** As they are compared. */
  readonly parts: readonly string[];
}

/** The query, or what is wrong with it. */
export function readQuery(text: string): Query | { readonly flaw: string } {
  const pieces = text.split('"');
  if (pieces.length % 2 === 0) return { flaw: 'has a quote that does not end' };
  // Every second piece stood in quotes.
  const parts = pieces.flatMap((piece, index) => (index % 2 === 1 ? [piece.trim()] : piece.split(/\s+/u)));
  const said = [...new Set(parts.map(folded))].filter((part) => part !== '');
  return said.length === 0 ? { flaw: 'must hold a word' } : { parts: said };
}
