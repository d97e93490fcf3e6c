/** A mark is a place in the feed, as a waiting caller carries it. */
import { type Rejection, RejectionCode, rejectWith } from '@handover/core';
import { type Cursor, cursorFrom, type Engine } from '@handover/engine';
import { pageToken, readPageToken } from './page-token.js';

/** 0.1.0 told marks from cursors by this sign. With it the mark of an empty log is not empty, either. */
const SIGN = '@';

export const encodeMark = (at: Cursor): string => pageToken('feed', SIGN + at);

/** Undefined: not a mark. Only the store can tell whether the cursor in it is valid. */
export function decodeMark(mark: string): Cursor | undefined {
  const text = readPageToken('feed', mark);
  if (!text?.startsWith(SIGN) || text === SIGN) return undefined;
  return cursorFrom(text.slice(SIGN.length));
}

/** Where a mark stands in this log; undefined: it is none. */
export async function locateMark(
  engine: Pick<Engine, 'locate'>,
  since: string,
): ReturnType<Engine['locate']> {
  const marked = decodeMark(since);
  return marked === undefined ? undefined : engine.locate(marked);
}

/** The end of the log, but never before `at`: a reader of the feed may be ahead of that end for a moment. */
export const endAfter = async (engine: Pick<Engine, 'behind' | 'position'>, at: Cursor): Promise<Cursor> =>
  (await engine.behind(at)) > 0 ? engine.position() : at;

export const BAD_MARK: Rejection = rejectWith(
  RejectionCode.VALIDATION_ERROR,
  'since is not a mark that this server gave',
  { field: 'since' },
);
