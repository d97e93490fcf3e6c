/**
 * What token-room.ts says of a text, of one that may be a megabyte: it is gone through in slices, and others may have their turn
 * after each. Every generator yields how many characters it has gone through since.
 */
import { codePoints, type Part, partOf } from './token-room.js';

const SLICE = 16_384;

/** How many code points it has. */
export function* countPoints(text: string): Generator<number, number> {
  let count = 0;
  for (const slice of slicesOf(text)) {
    count += codePoints(slice);
    yield slice.length;
  }
  return count;
}

/** As partOf. */
export function* longPartOf(text: string, offset: number, room: number): Generator<number, Part | undefined> {
  let at = 0;
  let left = offset;
  for (const slice of slicesOf(text)) {
    const count = codePoints(slice);
    if (count > left) break;
    at += slice.length;
    left -= count;
    yield slice.length;
  }
  return partOf(text.slice(at), left, room);
}

/** No pair of surrogates is cut. */
function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = from + SLICE;
    const isInPair = (text.codePointAt(end - 1) ?? 0) > 0xffff;
    const to = Math.min(isInPair ? end + 1 : end, text.length);
    yield text.slice(from, to);
    from = to;
  }
}
