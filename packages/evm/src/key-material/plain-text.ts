/**
 * A text as it is searched for keys: characters of one meaning look alike, and those that nobody sees are gone. It comes in
 * pieces, one after another the whole: a megabyte may become eighteen, which nobody needs at once. Most texts are plain already,
 * and are not copied.
 */
import { normalForm, partingPlace } from '@handover/core';
import { asLatin } from './look-alikes.js';

const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]+/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;
/** In UTF-16 units of the text as it stands. */
const PIECE = 4_096;

/** Full-width letters and digits become plain ones, and so do letters of other alphabets that look like them. */
export function* plainPieces(text: string): Generator<string> {
  for (const piece of piecesOf(text))
    yield BEYOND_ASCII.test(piece) ? asLatin(normalForm(piece, 'NFKC').replace(UNSEEN, '')) : piece;
}

export const plainText = (text: string): string => [...plainPieces(text)].join('');

/** In form NFKD, as words are listed. What nobody sees may have stood inside a word (''), or between two (' '). */
export function* fullPieces(
  text: string,
  unseenAs: '' | ' ',
  /** Whether there is any. */
  told: { unseen: boolean } = { unseen: false },
): Generator<string> {
  for (const piece of piecesOf(text)) {
    if (!BEYOND_ASCII.test(piece)) {
      yield piece;
      continue;
    }
    const full = asLatin(normalForm(piece, 'NFKD'));
    const seen = full.replace(UNSEEN, unseenAs);
    told.unseen ||= seen !== full;
    yield seen;
  }
}

/** They can be brought into a form each for itself. */
function* piecesOf(text: string): Generator<string> {
  if (text.length <= PIECE) {
    yield text;
    return;
  }
  for (let from = 0; from < text.length; ) {
    const to = partingPlace(text, Math.min(from + PIECE, text.length));
    yield text.slice(from, to);
    from = to;
  }
}
