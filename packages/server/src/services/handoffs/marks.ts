/** A mark is a place in the feed, as a waiting caller carries it. */
import { type Cursor, cursorFrom } from '@handover/engine';
import { pageToken, readPageToken } from '../page-token.js';

/** Distinguishes a mark from a page token. */
const SIGN = '@';

export const encodeMark = (at: Cursor): string => pageToken(SIGN + at);

/** Undefined: not a mark. Only the store can tell whether the cursor in it is valid. */
export function decodeMark(mark: string): Cursor | undefined {
  const text = readPageToken(mark);
  if (!text?.startsWith(SIGN) || text === SIGN) return undefined;
  return cursorFrom(text.slice(SIGN.length));
}
