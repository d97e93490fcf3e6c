/**
 * The writing half: one commit at a time, on one connection, in two flushes.
 *
 *   BEGIN, lock the heads, read the clock  ->  decide  ->  one write statement, COMMIT
 *
 * C1. Nothing is decided on what was not locked, or consulted, in the same transaction.
 * C2. Until the second flush is sent nothing can be stored: whatever fails before is `notStored`.
 * C3. When the answer to the second flush is lost, the lane's next epoch says what became of it (lane.ts). Where the
 *     database cannot be asked in time, the outcome is unknown, and the caller may send the same again.
 * C4. What the database says of the lane is believed only forward: an end before what was acknowledged is fatal.
 */
import { FaultCode, HandoverError, streamKey } from '@handover/core';
import type { CommitOutcome, CommitRequest, Store, StreamAppend } from '@handover/engine';
import { type Batch, layOut } from './batch.js';
import type { Connection } from './connection.js';
import { messageOf, refusalSentence, SqlState, sqlState, unknownOutcome } from './errors.js';
import type { LaneState, WritingLane } from './lane.js';
import { COMMIT, type Locked, lockHeads, lockMore, ROLLBACK, whichExist } from './locks.js';
import type { StreamIds } from './stream-ids.js';
import { type Found, lookBack } from './tails.js';

/** For so long a batch tries to reach the database before it is decided. */
const REACH_MS = 3_000;
/** For so long a commit whose answer was lost is looked for. */
const FIND_OUT_MS = 10_000;

type Decide = Parameters<Store['commit']>[1];

export interface CommitsOptions {
  readonly lane: WritingLane;
  readonly ids: StreamIds;
  /** What was answered as stored: numbers of a lane, the last included. */
  readonly onStored: (lane: number, from: number, to: number) => void;
  readonly onClock: (now: number) => void;
  /** In place of the database's. */
  readonly clock?: () => number;
  readonly onFatal: (fault: HandoverError) => void;
}

/** Somebody else wrote, or is writing. */
const CONFLICTS: ReadonlySet<string | undefined> = new Set([
  SqlState.UNIQUE,
  SqlState.SERIALIZATION,
  SqlState.DEADLOCK,
  SqlState.DIVISION_BY_ZERO,
  SqlState.LOCK_TIMEOUT,
]);

export class Commits {
  readonly #options: CommitsOptions;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: CommitsOptions) {
    this.#options = options;
  }

  /** Commits run one after another; a failed one does not hold up the next. */
  commit(request: CommitRequest, decide: Decide, usable: () => void): Promise<CommitOutcome> {
    const turn = this.#queue.then(() => {
      usable();
      return this.#commit(request, decide);
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves when all commits are answered. */
  async idle(): Promise<void> {
    await this.#queue;
  }

  async #commit(request: CommitRequest, decide: Decide): Promise<CommitOutcome> {
    let writer: Awaited<ReturnType<WritingLane['ready']>>;
    try {
      writer = await this.#options.lane.ready(REACH_MS);
    } catch (thrown) {
      return this.#notReached(thrown);
    }
    const { connection, lane } = writer;
    let locked: Locked;
    let found: Found;
    try {
      locked = await this.#lock(connection, request);
      found = await lookBack(connection, request, locked, this.#options.ids);
    } catch (thrown) {
      return this.#failedBefore(connection, thrown);
    }
    this.#options.onClock(locked.now);
    let appends: readonly StreamAppend[];
    let batch: ReturnType<typeof layOut>;
    try {
      const now = this.#options.clock?.() ?? locked.now;
      appends = decide({ now, tails: found.tails, seen: found.seen, skipped: locked.skipped });
      const failure = await this.#lockTheRest(connection, appends, locked);
      if (failure) return failure;
      batch = layOut(appends, locked, lane, lamportOf(lane, locked, found));
    } catch (thrown) {
      // What the caller's decision throws is the caller's; nothing was sent to be stored.
      await this.#rollBack(connection);
      throw thrown;
    }
    if (appends.length === 0 || 'conflict' in batch) {
      await this.#rollBack(connection);
      return 'conflict' in batch ? { kind: 'conflict', streams: batch.conflict } : { kind: 'stored', at: [] };
    }
    return this.#write(connection, lane, batch);
  }

  /** A stream that was waited for in vain is skipped once more. */
  async #lock(connection: Connection, request: CommitRequest): Promise<Locked> {
    try {
      return await lockHeads(connection, request, this.#options.ids, true);
    } catch (thrown) {
      if (sqlState(thrown) !== SqlState.LOCK_TIMEOUT) throw thrown;
      await connection.run([ROLLBACK]);
      return lockHeads(connection, request, this.#options.ids, false);
    }
  }

  /** Locks what is appended to and was not asked for. Answers why the batch cannot be stored. */
  async #lockTheRest(
    connection: Connection,
    appends: readonly StreamAppend[],
    locked: Locked,
  ): Promise<CommitOutcome | undefined> {
    const rest = new Map(
      appends
        .map(({ stream }) => [streamKey(stream), stream] as const)
        .filter(([key]) => !locked.held.has(key) && !locked.absent.has(key) && !locked.skipped.has(key)),
    );
    if (rest.size === 0) return undefined;
    try {
      await lockMore(connection, [...rest.values()], this.#options.ids, locked);
      return undefined;
    } catch (thrown) {
      return this.#failedBefore(connection, thrown);
    }
  }

  async #write(connection: Connection, lane: LaneState, batch: Batch): Promise<CommitOutcome> {
    let tag: string | undefined;
    try {
      const done = await connection.run([batch.write, COMMIT]);
      tag = done[1]?.tag;
    } catch (thrown) {
      if (connection.isLost) return this.#inDoubt(lane, batch, messageOf(thrown));
      try {
        await connection.run([ROLLBACK]);
      } catch {
        return this.#inDoubt(lane, batch, messageOf(thrown));
      }
      return this.#refused(connection, thrown, batch);
    }
    if (tag !== 'COMMIT') return this.#inDoubt(lane, batch, `COMMIT was answered ${String(tag)}`);
    this.#keep(lane, batch);
    return { kind: 'stored', at: [] };
  }

  async #inDoubt(lane: LaneState, batch: Batch, why: string): Promise<CommitOutcome> {
    this.#options.lane.lose(why);
    // A row without entries leaves no trace in the lane. Writing the same row again does no harm.
    if (batch.count === 0) return { kind: 'notStored', reason: why, again: true };
    const before = { ...lane };
    let isStored: boolean | undefined;
    try {
      isStored = await this.#options.lane.findOut({ lane: before, hash: batch.hash }, FIND_OUT_MS);
    } catch (thrown) {
      throw this.#fatal(thrown);
    }
    if (isStored === undefined) throw unknownOutcome('the batch');
    if (!isStored) return { kind: 'notStored', reason: `the database was lost: ${why}`, again: true };
    for (const { key, id } of batch.created) this.#options.ids.set(key, id);
    this.#options.onStored(before.lane, before.n + 1, before.n + batch.count);
    return { kind: 'stored', at: [] };
  }

  async #refused(connection: Connection, thrown: unknown, { created }: Batch): Promise<CommitOutcome> {
    const state = sqlState(thrown);
    if (state === SqlState.DIVISION_BY_ZERO) this.#options.lane.claimAnew();
    if (state === SqlState.READ_ONLY) this.#options.lane.lose(messageOf(thrown));
    if (!CONFLICTS.has(state)) return { kind: 'notStored', reason: refusalSentence(thrown) };
    if (created.length === 0 || connection.isLost) return { kind: 'conflict', streams: [] };
    // Another node created one of them: those that are there now are found and locked next time.
    const refs = created.map(({ ref }) => ref);
    const streams = await whichExist(connection, refs).catch(() => []);
    return { kind: 'conflict', streams };
  }

  async #failedBefore(connection: Connection, thrown: unknown): Promise<CommitOutcome> {
    await this.#rollBack(connection);
    if (!connection.isLost) return { kind: 'notStored', reason: refusalSentence(thrown) };
    this.#options.lane.lose(messageOf(thrown));
    try {
      await this.#options.lane.ready(REACH_MS);
    } catch (next) {
      return this.#notReached(next);
    }
    return { kind: 'notStored', reason: `the database was lost: ${messageOf(thrown)}`, again: true };
  }

  #notReached(thrown: unknown): CommitOutcome {
    if (thrown instanceof HandoverError && thrown.code !== FaultCode.CONFIGURATION) throw this.#fatal(thrown);
    const reason = thrown instanceof HandoverError ? thrown.shortMessage : messageOf(thrown);
    return { kind: 'notStored', reason };
  }

  #fatal(thrown: unknown): unknown {
    if (thrown instanceof HandoverError && thrown.next === 'fatal') this.#options.onFatal(thrown);
    return thrown;
  }

  async #rollBack(connection: Connection): Promise<void> {
    if (connection.isLost) return;
    try {
      await connection.run([ROLLBACK]);
    } catch (thrown) {
      this.#options.lane.lose(messageOf(thrown));
    }
  }

  #keep(lane: LaneState, batch: Batch): void {
    const from = lane.n + 1;
    lane.n += batch.count;
    lane.streams = batch.streams;
    lane.lam = batch.lam;
    for (const { key, id } of batch.created) this.#options.ids.set(key, id);
    this.#options.onStored(lane.lane, from, lane.n);
  }
}

/** Greater than that of everything the batch was decided on. */
function lamportOf(lane: LaneState, { held, read }: Locked, { lam }: Found): number {
  let greatest = Math.max(lane.lam, lam);
  for (const heads of [held, read])
    for (const head of heads.values()) greatest = Math.max(greatest, head.lam);
  return greatest + 1;
}
