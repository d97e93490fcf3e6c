/**
 * Gathers for a brief all entries up to a number, from the newest to the oldest. The log is read in pieces from its end,
 * whose size follows from that of the entries, so that neither many small nor a few large ones are held at once.
 */
import { type Entry, type Gathered, gatherBrief, type StreamRef, WorklogEntryType } from '@handover/core';
import { entryView, seqBefore } from './context-entries.js';
import type { HandoffDependencies } from './dependencies.js';

const PIECE_BYTES = 256 * 1024;
const MOST_ENTRIES = 500;
/** Before anything is known of their size; an entry has a megabyte at most. */
const FIRST_ENTRIES = 8;

export interface GatheredSession {
  readonly gathered: Gathered;
  /** Of the log entry at which they end; of the registration when nothing was written yet. */
  readonly headHash: string;
}

export async function gatherSession(
  deps: HandoffDependencies,
  ref: StreamRef,
  upTo: number,
  tokenBudget: number,
): Promise<GatheredSession> {
  const { store, codec } = deps;
  const gather = gatherBrief(tokenBudget, codec);
  const before = upTo === 0 ? 0 : await seqBefore(store, ref, { after: upTo - 1, upTo });
  let headHash = '';
  let end = (before ?? 0) + 1;
  for (let count = FIRST_ENTRIES; end > 0; ) {
    const piece = await readPiece(store, ref, Math.max(0, end - count), end);
    const context = piece.filter(({ type }) => type === WorklogEntryType.ContextAdded);
    if (headHash === '') headHash = (context.at(-1) ?? piece[0])?.hash ?? '';
    for (const entry of context.toReversed()) {
      const { sequenceNumber: number, createdAt: at, ...said } = entryView(entry, codec);
      gather.add({ number, at, ...said });
    }
    const bytes = piece.reduce((sum, { payload }) => sum + payload.length, 0);
    end = Math.max(0, end - count);
    count = Math.max(
      1,
      Math.min(MOST_ENTRIES, Math.floor((PIECE_BYTES * piece.length) / Math.max(1, bytes))),
    );
  }
  return { gathered: gather.result(), headHash };
}

/** The entries with sequences after `from` and up to `to`. */
async function readPiece(
  store: HandoffDependencies['store'],
  ref: StreamRef,
  from: number,
  to: number,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (let seq = from; seq < to; ) {
    const page = await store.read(ref, seq, { entries: to - seq, bytes: PIECE_BYTES });
    if (page.length === 0) break;
    entries.push(...page);
    seq = page.at(-1)?.seq ?? to;
  }
  return entries;
}
