/** Gathers for a brief all entries up to a number, from the newest to the oldest, in as many turns of the loop as that takes. */
import {
  type BriefEntry,
  type Gathered,
  GENESIS,
  gatherBrief,
  type StreamRef,
  WorklogEntryType,
} from '@handover/core';
import { LongWork } from '../../platform/long-work.js';
import { piecesBackwards } from './backwards.js';
import { briefEntry, type EntrySource, seqBefore } from './context-entries.js';

export interface GatheredSession {
  readonly gathered: Gathered;
  /** Of the log entry at which they end; of the registration when nothing was written yet; zeros before that. */
  readonly headHash: string;
}

export async function gatherSession(
  deps: EntrySource,
  ref: StreamRef,
  upTo: number,
  tokenBudget: number,
  /** To be stored after those, in order. */
  added: readonly BriefEntry[] = [],
): Promise<GatheredSession> {
  const { store, codec } = deps;
  const gather = gatherBrief(tokenBudget, codec);
  const work = new LongWork();
  for (const entry of added.toReversed()) await work.run(gather.add(entry));
  const before = upTo === 0 ? 0 : await seqBefore(store, ref, { after: upTo - 1, upTo });
  let headHash = '';
  for await (const piece of piecesBackwards(store, ref, (before ?? 0) + 1)) {
    const context = piece.filter(({ type }) => type === WorklogEntryType.ContextAdded);
    if (headHash === '') headHash = (context.at(-1) ?? piece[0])?.hash ?? '';
    for (const entry of context.toReversed()) {
      await work.did(entry.payload.length);
      await work.run(gather.add(briefEntry(entry, codec)));
    }
  }
  return { gathered: gather.result(), headHash: headHash || GENESIS.hash };
}
