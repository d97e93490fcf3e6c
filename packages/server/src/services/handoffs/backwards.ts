/**
 * A log read from its end, in pieces of bounded size: neither many small entries nor a few large ones are held at once.
 * How many are asked for follows from the size of those before. Where that was too many, fewer are read again.
 */
import type { Entry, StreamRef } from '@handover/core';
import type { EntrySource } from './context-entries.js';

const PIECE_BYTES = 256 * 1024;
const MOST_ENTRIES = 500;
/** Before anything is known of their size; an entry has a megabyte at most. */
const FIRST_ENTRIES = 8;

/** What reading costs, and whether more of it may be done: also of what is read again. */
export interface ReadMeter {
  hasRoom(): boolean;
  did(bytes: number): void;
}

const UNMETERED: ReadMeter = { hasRoom: () => true, did() {} };

/** Pieces of the entries up to a sequence, the newest piece first, each in the order of the log, while there is room. */
export async function* piecesBackwards(
  store: EntrySource['store'],
  ref: StreamRef,
  upToSeq: number,
  meter: ReadMeter = UNMETERED,
): AsyncGenerator<readonly Entry[]> {
  let count = FIRST_ENTRIES;
  for (let end = upToSeq; end > 0 && meter.hasRoom(); ) {
    const from = Math.max(0, end - count);
    const piece = await store.read(ref, from, { entries: end - from, bytes: PIECE_BYTES });
    const bytes = piece.reduce((sum, { payload }) => sum + payload.length, 0);
    meter.did(bytes);
    const last = piece.at(-1);
    if (!last) return;
    if (last.seq < end) {
      count = Math.max(1, Math.floor(count / 4));
      continue;
    }
    yield piece;
    const fitting = Math.floor((PIECE_BYTES * piece.length) / Math.max(1, bytes));
    // Not many more at once: a large one among small ones would be read in vain.
    count = Math.max(1, Math.min(MOST_ENTRIES, fitting, 2 * count));
    end = from;
  }
}
