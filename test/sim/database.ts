/**
 * A database that several nodes share, as PostgreSQL is used: rows of heads that are locked, lanes with an epoch, and a
 * write that checks both on the server. What is stored stands in the engine's own log in memory.
 *
 * Transactions, locks and clock live here; the way to it, which can be slow or cut, is in driver.ts.
 */
import { type StreamRef, streamKey } from '@handover/core';
import type { CommitRequest, SeenEntry, Store, StreamAppend } from '@handover/engine';
import { createMemoryLog } from '../../packages/engine/src/memory-store.js';
import type { Schedule } from './schedule.js';

/** After so long the server gives up a transaction whose client says nothing. */
const IDLE_MS = 5_000;
const LOCK_WAIT_MS = 2_000;

export interface Transaction {
  readonly lane: number;
  readonly epoch: number;
  readonly n: number;
  readonly locked: Set<string>;
  isOpen: boolean;
}

export interface Locked {
  readonly transaction: Transaction;
  readonly skipped: ReadonlySet<string>;
}

interface Lane {
  n: number;
  epoch: number;
}

export type WriteOutcome =
  | { readonly kind: 'stored' }
  | { readonly kind: 'conflict'; readonly streams: readonly string[] };

/** One commit, as the others hear of it. */
export interface Commit {
  readonly lane: number;
  /** The lane's last number after it. */
  readonly n: number;
  readonly streams: readonly StreamRef[];
}

export class SimDatabase {
  readonly #schedule: Schedule;
  readonly log = createMemoryLog();
  readonly store: Store = this.log.open();
  readonly commits: Commit[] = [];
  readonly #locks = new Map<string, Transaction>();
  readonly #lanes = new Map<number, Lane>();
  /** Who was alive when, by node. */
  readonly #seen = new Map<string, number>();
  readonly #open = new Set<Transaction>();
  clockSkew = 0;
  /** Restarted so often: connections of before are gone. */
  generation = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  now(): number {
    return this.#schedule.now + this.clockSkew;
  }

  /** Raises the epoch of a lane, so that whatever is still on its way for an older one is refused. */
  claim(lane: number): Readonly<Lane> {
    const row = this.#lanes.get(lane) ?? { n: 0, epoch: 0 };
    row.epoch++;
    this.#lanes.set(lane, row);
    return { ...row };
  }

  sign(node: string): void {
    this.#seen.set(node, this.now());
  }

  live(): readonly string[] {
    return [...this.#seen].filter(([, at]) => at > this.now() - 30_000).map(([node]) => node);
  }

  /** Locks the heads of existing streams in order; what is held is skipped, or waited for where that was asked. */
  async lock(request: CommitRequest, lane: number, epoch: number, n: number): Promise<Locked> {
    const transaction: Transaction = { lane, epoch, n, locked: new Set(), isOpen: true };
    this.#open.add(transaction);
    this.#schedule.after(IDLE_MS, () => this.end(transaction));
    const skipped = new Set<string>();
    const wanted = request.streams
      .filter(({ ref, access }) => access === 'write' && this.log.lastSeq(ref) > 0)
      .map(({ ref, wait }) => ({ key: streamKey(ref), wait }))
      .sort((a, b) => Number(b.wait ?? false) - Number(a.wait ?? false) || (a.key < b.key ? -1 : 1));
    for (const { key, wait } of wanted) {
      if (wait) await this.#free(key);
      // The server gave it up meanwhile.
      if (!transaction.isOpen) break;
      if (this.#locks.has(key)) skipped.add(key);
      else {
        this.#locks.set(key, transaction);
        transaction.locked.add(key);
      }
    }
    return { transaction, skipped };
  }

  /** The entries that were asked for by their message id. */
  async seen(request: CommitRequest, moved: ReadonlySet<string>): Promise<ReadonlyMap<string, SeenEntry>> {
    const messageIds = request.messageIds
      .filter(({ ask, stream }) => ask === 'always' || moved.has(streamKey(stream)))
      .map((asked) => ({ ...asked, ask: 'always' as const }));
    let found: ReadonlyMap<string, SeenEntry> = new Map();
    await this.store.commit({ streams: [], messageIds }, ({ seen }) => {
      found = seen;
      return [];
    });
    return found;
  }

  /** The one write statement with its guard, and COMMIT. Undefined: the transaction was over, or its epoch is. */
  write(transaction: Transaction, appends: readonly StreamAppend[]): WriteOutcome | undefined {
    const lane = this.#lanes.get(transaction.lane);
    const isCurrent = lane?.epoch === transaction.epoch && lane.n === transaction.n;
    if (!transaction.isOpen || !isCurrent || !lane) {
      this.end(transaction);
      return undefined;
    }
    const unlocked = appends.filter(
      ({ stream }) => this.log.lastSeq(stream) > 0 && !transaction.locked.has(streamKey(stream)),
    );
    this.end(transaction);
    if (unlocked.length > 0)
      return { kind: 'conflict', streams: unlocked.map(({ stream }) => streamKey(stream)) };
    const count = appends.reduce((sum, { entries }) => sum + entries.length, 0);
    let isStored = true;
    // The log in memory checks sequences and ids, and takes effect before the promise is seen.
    void this.store
      .commit({ streams: [], messageIds: [] }, () => appends)
      .then(({ kind }) => {
        isStored = kind === 'stored';
      });
    if (
      appends.some(
        ({ stream, entries }) =>
          this.log.lastSeq(stream) !== (entries.at(-1)?.seq ?? this.log.lastSeq(stream)),
      )
    )
      isStored = false;
    if (!isStored) return { kind: 'conflict', streams: appends.map(({ stream }) => streamKey(stream)) };
    lane.n += count;
    this.commits.push({ lane: transaction.lane, n: lane.n, streams: appends.map(({ stream }) => stream) });
    return { kind: 'stored' };
  }

  end(transaction: Transaction): void {
    if (!transaction.isOpen) return;
    transaction.isOpen = false;
    this.#open.delete(transaction);
    for (const key of transaction.locked) if (this.#locks.get(key) === transaction) this.#locks.delete(key);
  }

  /** The server dies and comes back: what was not committed is gone. */
  restart(): void {
    for (const transaction of [...this.#open]) this.end(transaction);
    this.generation++;
  }

  async #free(key: string): Promise<void> {
    const until = this.#schedule.now + LOCK_WAIT_MS;
    while (this.#locks.has(key) && this.#schedule.now < until) await this.#schedule.wait(20);
  }
}
