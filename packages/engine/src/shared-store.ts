/**
 * What a store has beside the port when several nodes write to it.
 *
 * H1. `heads` asks the primary, after the call: a stream that somebody's acknowledged write moved is never shown older.
 * H2. Whoever listens by `moved` hears of every stream that another node moves: soon, at least once, and also what was
 *     stored between two looks. What was stored before it began to listen need not be told, nor what `commit` answered as
 *     stored. What this node stored without learning of it (its outcome was unknown) is told as that of another node.
 * H3. `now` is the store's clock as far as this node knows it; only the clock in CommitInput dates entries.
 */
import type { StreamRef } from '@handover/core';

export interface FreshHeads {
  /** The store's clock, read with the heads. */
  readonly now: number;
  /** The last sequence of each stream, in the order of the refs; 0: no such stream. */
  readonly seqs: readonly number[];
}

export interface MovedStream {
  readonly ref: StreamRef;
  /** Its last sequence, or an earlier one that it has passed. */
  readonly seq: number;
}

export interface Members {
  /** The name of this node. */
  readonly me: string;
  /** The names of all nodes that were seen lately, this one included. */
  readonly live: readonly string[];
}

export interface SharedStore {
  heads(refs: readonly StreamRef[]): Promise<FreshHeads>;
  /** Returns what ends the listening. Without a listener the store may look less often. */
  moved(told: (streams: readonly MovedStream[]) => void): () => void;
  members(): Members;
  now(): number;
}
