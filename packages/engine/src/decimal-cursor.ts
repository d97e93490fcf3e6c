/**
 * Cursors of stores that number their entries from 1: the number of the entry, in decimal. Version 0.1.0 kept the bare
 * number in marks and bookmarks, so its marks are cursors already.
 */
import { unreadableCursor } from './cursor.js';
import type { Cursor } from './store.js';

/** At most 15 digits: no log grows larger, and every such number is a safe integer. */
const DECIMAL = /^\d{0,15}$/;

export function decimalCursor(position: number): Cursor {
  return String(position) as Cursor;
}

/** The number of the last entry before the cursor; 0: none. It may lie past the end. */
export function readDecimalCursor(cursor: Cursor): number {
  if (!DECIMAL.test(cursor)) throw unreadableCursor(cursor);
  return Number(cursor);
}
