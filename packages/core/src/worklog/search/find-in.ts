/**
 * Whether all parts of a query occur in a text, and what stands around the first that does.
 *
 * F1. The text is looked through in pieces, with as many characters of the one before as a part may have in it: the cost grows with the
 *     text and no faster, and whoever runs the search may let others go first after each piece.
 * F2. It ends where the last part is found.
 */
import { type FoldedPiece, foldedPieces, unfoldedPlace } from './folded.js';
import type { Query } from './query.js';
import { snippetAt } from './snippet.js';

/** Yields how many characters it has looked through since. Nothing: not all parts occur. */
export function* findIn(text: string, { parts }: Query): Generator<number, string | undefined> {
  const carried = Math.max(...parts.map(({ length }) => length)) - 1;
  let missing = parts;
  /** Of the part that begins first. */
  let first: { readonly at: number; readonly place: number } | undefined;
  let seen = '';
  /** Where `seen` begins in the whole text, folded. */
  let start = 0;
  const pieces: (FoldedPiece & { readonly start: number })[] = [];
  for (const piece of foldedPieces(text)) {
    // More than one is kept, since a part may begin in the piece before.
    pieces.push({ ...piece, start: start + seen.length });
    seen += piece.folded;
    missing = missing.filter((part) => {
      const index = seen.indexOf(part);
      if (index < 0) return true;
      const at = start + index;
      if (!first || at < first.at) first = { at, place: placeIn(text, pieces, at) };
      return false;
    });
    if (missing.length === 0) return first && snippetAt(text, first.place);
    yield piece.to - piece.from;
    const tail = carried === 0 ? '' : seen.slice(-carried);
    start += seen.length - tail.length;
    seen = tail;
    while ((pieces[1]?.start ?? Number.POSITIVE_INFINITY) <= start) pieces.shift();
  }
  return undefined;
}

function placeIn(
  text: string,
  pieces: readonly (FoldedPiece & { readonly start: number })[],
  at: number,
): number {
  const piece = pieces.findLast(({ start }) => start <= at);
  return piece ? unfoldedPlace(text, piece, at - piece.start) : 0;
}
