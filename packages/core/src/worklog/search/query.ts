/** Words that somebody looks for in the entries of working sessions: all must occur, `"a b"` as it stands. */

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

/** What is compared: without regard to case, to width and to other forms of the same letters. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

export const SNIPPET_CHARACTERS = 240;
const BEFORE = 80;

/** The text around the first match, on one line; nothing: not all parts occur. */
export function findIn(text: string, { parts }: Query): string | undefined {
  const compared = folded(text);
  const places = parts.map((part) => compared.indexOf(part));
  return places.includes(-1) ? undefined : snippet(text, Math.min(...places));
}

function snippet(text: string, place: number): string {
  // Controls could make more lines of one, or hide what follows.
  const characters = [...text].map((one) => (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(one) ? ' ' : one));
  const match = characterAt(characters, place);
  const from = Math.max(0, Math.min(match - BEFORE, characters.length - SNIPPET_CHARACTERS + 2));
  const cut = { start: from > 0, end: characters.length - from > SNIPPET_CHARACTERS - 2 };
  const shown = characters.slice(from, from + SNIPPET_CHARACTERS - 2).join('');
  return `${cut.start ? '…' : ''}${shown}${cut.end ? '…' : ''}`;
}

/** The number of the character that stands at a place of the folded text, which may be longer or shorter. */
function characterAt(characters: readonly string[], place: number): number {
  let at = 0;
  for (const [index, one] of characters.entries()) {
    if (at >= place) return index;
    at += folded(one).length;
  }
  return 0;
}
