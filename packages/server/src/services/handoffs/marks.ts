/** Marks: a place in the log as a caller who waits carries it. */
import { type Cursor, cursorFrom } from '@handover/engine';
import { pageToken, readPageToken } from '../page-token.js';

/** Tells a mark from the place in a list, which is a token, too. */
const SIGN = '@';

export const encodeMark = (at: Cursor): string => pageToken(SIGN + at);

/** Undefined: no mark. Whether the store can read what it holds, the store says. */
export function decodeMark(mark: string): Cursor | undefined {
  const text = readPageToken(mark);
  if (!text?.startsWith(SIGN) || text === SIGN) return undefined;
  return cursorFrom(text.slice(SIGN.length));
}
