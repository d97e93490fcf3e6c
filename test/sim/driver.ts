/**
 * The store of one node on the simulated database, with the rules of the real driver: one writer, two flushes a batch, and
 * an epoch that answers "was my commit stored?" after a lost connection.
 */
import { FaultCode, HandoverError, type StreamRef, streamKey } from '@handover/core';
import type { SimDatabase, Transaction } from './database.js';
import type { CommitOutcome, EntryHeads, MovedStream, SharedStore, Store, StreamAppend } from './engine.js';
import type { Faults } from './faults.js';
import type { Random } from './random.js';
import type { Schedule } from './schedule.js';

const FIND_OUT_MS = 10_000;
/** How often the database stays out of reach for so long after a connection was lost around COMMIT. */
const UNREACHABLE = 0.15;

export interface DriverWorld {
  readonly schedule: Schedule;
  readonly random: Random;
  readonly database: SimDatabase;
  readonly faults: Faults;
  /** Waits as long as the process is stopped; never resolves once it is dead. */
  readonly awake: () => Promise<void>;
  /** No packet passes. */
  readonly isCut: () => boolean;
}

class Lost extends Error {}

export function openDriver(world: DriverWorld, lane: number, me: string): Store {
  const { schedule, random, database, faults, awake } = world;
  const listeners = new Set<(streams: readonly MovedStream[]) => void>();
  let heard = database.commits.length;
  let generation = database.generation;
  let claimed = database.claim(lane);
  let queue: Promise<unknown> = Promise.resolve();
  let isPolling = false;
  /** The connection is gone: the next batch claims the lane first. */
  let mustClaim = false;
  /** The commits of this node that it learned of: what was stored without that is news to it, too. */
  const known = new Set<number>();

  /** One way between node and database. */
  async function hop(): Promise<void> {
    await schedule.wait(random() * faults.hopMs);
    if (world.isCut()) await schedule.wait(1_000);
  }

  const isLost = (p: number): boolean =>
    world.isCut() || generation !== database.generation || random.chance(p);

  async function reach<T>(ask: () => Promise<T> | T): Promise<T> {
    for (let tries = 0; tries < 3; tries++) {
      await hop();
      if (!world.isCut() && !random.chance(faults.readLoss)) {
        const answer = await ask();
        await hop();
        await awake();
        return answer;
      }
      await schedule.wait(50);
    }
    await awake();
    throw new HandoverError(FaultCode.OVERLOADED, 'the database cannot be reached', { next: 'retryable' });
  }

  /** Claims the lane anew; undefined: nobody can be reached. */
  async function reconnect(): Promise<{ readonly n: number } | undefined> {
    const until = schedule.now + FIND_OUT_MS;
    while (schedule.now < until) {
      await hop();
      if (!world.isCut() && !random.chance(faults.readLoss)) {
        generation = database.generation;
        claimed = database.claim(lane);
        mustClaim = false;
        await hop();
        return claimed;
      }
      await schedule.wait(100);
    }
    return undefined;
  }

  function lostOnTheWay(reason: string): CommitOutcome {
    mustClaim = true;
    return { kind: 'notStored', reason, again: true };
  }

  async function commitNow(...[request, decide]: Parameters<Store['commit']>): Promise<CommitOutcome> {
    if (mustClaim && !(await reconnect()))
      return { kind: 'notStored', reason: 'the database cannot be reached' };
    await hop();
    if (isLost(faults.lossBefore)) return lostOnTheWay('lost before it was decided');
    const before = claimed;
    const { transaction, skipped } = await database.lock(request, lane, before.epoch, before.n);
    const tails = new Map<string, EntryHeads>();
    for (const { ref, known } of request.streams) {
      const key = streamKey(ref);
      if (skipped.has(key)) continue;
      const tail = await database.store.load(ref, known.seq, Number.MAX_SAFE_INTEGER);
      if (tail.length > 0) tails.set(key, tail);
    }
    const seen = await database.seen(request, new Set(tails.keys()));
    const now = database.now();
    await hop();
    await awake();
    if (isLost(faults.lossBetween)) return lostOnTheWay('lost before it was written');
    let appends: readonly StreamAppend[];
    try {
      appends = decide({ now, tails, seen, skipped });
    } catch (thrown) {
      database.end(transaction);
      throw thrown;
    }
    if (appends.length === 0) {
      database.end(transaction);
      return { kind: 'stored', at: [] };
    }
    const count = appends.reduce((sum, { entries }) => sum + entries.length, 0);
    return written(transaction, appends, before.n, count);
  }

  async function written(
    transaction: Transaction,
    appends: readonly StreamAppend[],
    before: number,
    count: number,
  ): Promise<CommitOutcome> {
    let outcome: ReturnType<SimDatabase['write']>;
    try {
      await hop();
      if (isLost(faults.lossInCommit)) {
        // The packets may arrive all the same, and late.
        const late = random.chance(0.5);
        if (late)
          schedule.after(random() * 4 * faults.hopMs, () => void database.write(transaction, appends));
        else if (random.chance(0.5)) database.write(transaction, appends);
        throw new Lost();
      }
      outcome = database.write(transaction, appends);
      await hop();
      if (isLost(faults.lossInCommit)) throw new Lost();
      await awake();
    } catch (thrown) {
      if (!(thrown instanceof Lost)) throw thrown;
      const found = random.chance(UNREACHABLE) ? await schedule.wait(FIND_OUT_MS) : await reconnect();
      await awake();
      if (!found) {
        mustClaim = true;
        throw new HandoverError(FaultCode.UNKNOWN_OUTCOME, 'the outcome is unknown', { next: 'retryable' });
      }
      if (found.n === before) return lostOnTheWay('lost in COMMIT');
      known.add(found.n);
      return { kind: 'stored', at: [] };
    }
    if (!outcome) return lostOnTheWay('the transaction was over');
    if (outcome.kind === 'conflict') return outcome;
    claimed = { ...claimed, n: before + count };
    known.add(claimed.n);
    return { kind: 'stored', at: [] };
  }

  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (listeners.size > 0) {
      await schedule.wait(20);
      await hop();
      await awake();
      if (world.isCut()) continue;
      const commits = database.commits.slice(heard);
      heard = database.commits.length;
      await hop();
      await awake();
      const moved = commits
        .filter((commit) => commit.lane !== lane || !known.has(commit.n))
        .flatMap(({ streams }) => streams.map((ref) => ({ ref, seq: database.log.lastSeq(ref) })));
      if (moved.length > 0) for (const told of listeners) told(moved);
    }
    isPolling = false;
  }

  const shared: SharedStore = {
    heads: (refs: readonly StreamRef[]) =>
      reach(() => ({ now: database.now(), seqs: refs.map((ref) => database.log.lastSeq(ref)) })),
    moved(told) {
      if (listeners.size === 0) heard = Math.min(heard, database.commits.length);
      const listener = (streams: readonly MovedStream[]): void => told(streams);
      listeners.add(listener);
      void poll();
      return () => listeners.delete(listener);
    },
    members: () => ({ me, live: [...new Set([me, ...database.live()])] }),
    now: () => database.now(),
  };

  return {
    ...database.store,
    shared,
    load: (...asked) => reach(() => database.store.load(...asked)),
    read: (...asked) => reach(() => database.store.read(...asked)),
    feed: (...asked) => reach(() => database.store.feed(...asked)),
    due: (...asked) => reach(() => database.store.due(...asked)),
    position: () => reach(() => database.store.position()),
    commit: (...asked) => {
      const turn = queue.then(() => commitNow(...asked));
      queue = turn.catch(() => undefined);
      return turn;
    },
  };
}
