/** Texts as they are compared: without regard to case, to width and to other forms of the same letters. */
import { normalForm, partingPlace } from '../../normal-form.js';

/** Both small letters for Σ are one: which of them stands there depends on what follows, and that may be in the next piece. */
export const folded = (text: string): string => normalForm(text, 'NFKC').toLowerCase().replaceAll('ς', 'σ');

/** In UTF-16 units. A character may become eighteen others, so that a piece is not too dear either when all do. */
export const PIECE = 8_192;

/** A piece of a text, folded. The pieces of a text, one after another, are the whole text, folded. */
export interface FoldedPiece {
  readonly folded: string;
  /** Of the text as it stands. */
  readonly from: number;
  readonly to: number;
}

export function* foldedPieces(text: string): Generator<FoldedPiece> {
  for (let from = 0; from < text.length; ) {
    const to = partingPlace(text, Math.min(from + PIECE, text.length));
    yield { folded: folded(text.slice(from, to)), from, to };
    from = to;
  }
}

/** Which character of the text a place in its folded piece belongs to: the half that it is in is folded alone, and again. */
export function unfoldedPlace(text: string, piece: FoldedPiece, place: number): number {
  let { from, to } = piece;
  let left = place;
  while (to - from > 1) {
    const middle = partingPlace(text, from + Math.floor((to - from) / 2));
    if (middle <= from || middle >= to) break;
    const before = folded(text.slice(from, middle)).length;
    if (left < before) to = middle;
    else [from, left] = [middle, left - before];
  }
  return from;
}
