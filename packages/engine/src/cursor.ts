/** What every store's cursors have in common; their text is the store's own. */
import { FaultCode, HandoverError } from '@handover/core';
import type { Cursor } from './store.js';

/** Stands before the first entry, in every store. */
export const BEGINNING = '' as Cursor;

/** Text that was a cursor when it was written down. Whether it still is, the store says when it is used. */
export function cursorFrom(kept: string): Cursor {
  return kept as Cursor;
}

/** How much of a foreign text an error repeats. */
const SHOWN = 40;

/** What a store throws for a cursor that it cannot read. */
export function unreadableCursor(cursor: Cursor): HandoverError {
  const shown = JSON.stringify(cursor.slice(0, SHOWN));
  return new HandoverError(
    FaultCode.CONFIGURATION,
    `${shown} is not a cursor of this store; go on from the store's present position, or use the store that gave it`,
    { details: { cursor: shown } },
  );
}

export function isUnreadableCursor(thrown: unknown): boolean {
  return (
    thrown instanceof HandoverError &&
    thrown.code === FaultCode.CONFIGURATION &&
    thrown.details.cursor !== undefined
  );
}
