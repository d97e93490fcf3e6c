/** A mark is a place in the feed, as a waiting caller carries it. */
import { type Cursor, cursorFrom } from '@handover/engine';
import { pageToken, readPageToken } from '../page-token.js';

/** 0.1.0 told marks from cursors by this sign. With it the mark of an empty log is not empty, either. */
const SIGN = '@';

export const encodeMark = (at: Cursor): string => pageToken('feed', SIGN + at);

/** Undefined: not a mark. Only the store can tell whether the cursor in it is valid. */
export function decodeMark(mark: string): Cursor | undefined {
  const text = readPageToken('feed', mark);
  if (!text?.startsWith(SIGN) || text === SIGN) return undefined;
  return cursorFrom(text.slice(SIGN.length));
}
