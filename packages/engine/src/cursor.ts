/** What the cursors of all stores have in common. Each store defines the text of its own cursors. */
import { FaultCode, HandoverError } from '@handover/core';
import type { Cursor } from './store.js';

/** Stands before the first entry, in every store. */
export const BEGINNING = '' as Cursor;

/** Takes text that was kept outside as a cursor. The store checks it when the cursor is used. */
export function cursorFrom(kept: string): Cursor {
  return kept as Cursor;
}

/** How many characters of an unreadable cursor the error shows. */
const SHOWN = 40;

/** The error that a store throws for a cursor that it cannot read. */
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
