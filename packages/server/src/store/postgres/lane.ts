/**
 * The lane in which this node writes: it numbers its own commits densely, one after the other.
 *
 * L1. A lane belongs to one node at a time, for as long as its lease is renewed. Each commit of the node renews it.
 * L2. Its epoch is raised whenever a node begins to write in it, on every new connection. The write statement names the
 *     epoch, so what an older connection sent, and what arrives late, is refused.
 * L3. Raising the epoch waits for a transaction that holds the row and fences all others. So the number that is read then
 *     says for certain whether a commit whose answer was lost is stored.
 */
import { FaultCode, HandoverError } from '@handover/core';
import { CannotConnect, type Connection } from './connection.js';
import { endsConnection, Lost, mayPass, refused, SqlState, sqlState } from './errors.js';
import { hex, integer } from './rows.js';
import type { Row, Step } from './stage.js';
import { MOST_LANES } from './stream-ids.js';

export const LEASE = "interval '30 seconds'";
const COLUMNS = 'lane, epoch, n, streams, lam';
const PAUSE_MS = 100;

export interface LaneState {
  readonly lane: number;
  readonly epoch: number;
  /** The number of its last entry. */
  n: number;
  /** The tick of the last stream that was made in it. */
  streams: number;
  /** Greater than that of everything its entries were decided on. */
  lam: number;
}

/** A commit whose answer was lost. */
export interface InDoubt {
  /** The lane as it was before. */
  readonly lane: LaneState;
  /** Of the batch's first entry. */
  readonly hash: string;
}

export interface LaneOptions {
  readonly me: string;
  readonly connect: () => Promise<Connection>;
  readonly onLost: (why: string) => void;
  readonly onBack: () => void;
}

export class WritingLane {
  readonly #options: LaneOptions;
  #connection: Connection | undefined;
  #state: LaneState | undefined;
  /** Another connection, or another epoch, is needed before the next commit. */
  #mustClaim = true;
  #isClosed = false;
  #wasLost = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  get state(): LaneState | undefined {
    return this.#state;
  }

  /** The connection and the lane to write with. Tries for so long; throws what stood against it last. */
  async ready(withinMs: number): Promise<{ readonly connection: Connection; readonly lane: LaneState }> {
    const until = Date.now() + withinMs;
    for (;;) {
      try {
        const connection = await this.#connected();
        if (this.#mustClaim || !this.#state) this.#state = await this.#claim(connection);
        this.#mustClaim = false;
        if (this.#wasLost) this.#options.onBack();
        this.#wasLost = false;
        return { connection, lane: this.#state };
      } catch (thrown) {
        if (thrown instanceof HandoverError) throw thrown;
        this.lose(thrown instanceof Error ? thrown.message : String(thrown));
        const passes = thrown instanceof CannotConnect ? mayPass(thrown.cause) : true;
        if (!passes || this.#isClosed || Date.now() + PAUSE_MS > until) throw thrown;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  /** Whether the commit is stored. Afterwards it cannot come to be. Undefined: the database could not be asked. */
  async findOut({ lane, hash }: InDoubt, withinMs: number): Promise<boolean | undefined> {
    try {
      const { connection, lane: now } = await this.ready(withinMs);
      if (now.lane === lane.lane && now.n === lane.n) return false;
      const [done] = await connection.run([{ ...ENTRY, values: [lane.lane, lane.n + 1] }]);
      const row = done?.rows[0];
      return row !== undefined && hex(row[0]) === hash;
    } catch (thrown) {
      if (thrown instanceof HandoverError) throw thrown;
      // It was back for a moment only: nobody may be told that all is well.
      this.lose(thrown instanceof Error ? thrown.message : String(thrown));
      return undefined;
    }
  }

  /** The connection is gone, or is not to be trusted. */
  lose(why: string): void {
    this.#mustClaim = true;
    this.#connection?.destroy();
    this.#connection = undefined;
    if (!this.#wasLost && !this.#isClosed) this.#options.onLost(why);
    this.#wasLost = true;
  }

  /** Somebody else took the lane: the next commit looks for one. */
  claimAnew(): void {
    this.#mustClaim = true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const { me } = this.#options;
    const state = this.#state;
    if (state && this.#connection && !this.#connection.isLost)
      await this.#connection
        .run([{ ...GIVE_BACK, values: [state.lane, state.epoch, me] }])
        .catch(() => undefined);
    await this.#connection?.end();
  }

  async #connected(): Promise<Connection> {
    if (this.#connection && !this.#connection.isLost) return this.#connection;
    this.#mustClaim = true;
    this.#connection = await this.#options.connect();
    return this.#connection;
  }

  async #claim(connection: Connection): Promise<LaneState> {
    const before = this.#state;
    if (before) {
      const mine = await one(connection, { ...RECLAIM, values: [before.lane, this.#options.me] });
      if (mine) {
        const state = stateOf(mine);
        if (state.n < before.n) throw rolledBack(before, state);
        return state;
      }
      const [taken] = (await connection.run([{ ...LOOK, values: [before.lane] }]))[0]?.rows ?? [];
      const n = integer(taken?.[0] ?? '0');
      if (n < before.n) throw rolledBack(before, { ...before, n });
    }
    const free = await one(connection, { ...TAKE_FREE, values: [this.#options.me] });
    const found = free ?? (await one(connection, { ...ADD, values: [this.#options.me] }));
    if (!found) throw new Error('another node took the lane at the same moment');
    const state = stateOf(found);
    if (state.lane > MOST_LANES)
      throw refused(`the database has ${MOST_LANES} lanes in use; so many nodes are not supported`);
    return state;
  }
}

const RECLAIM: Step = {
  name: 'reclaim-lane',
  text: `UPDATE lanes SET epoch = epoch + 1, until = now() + ${LEASE} WHERE lane = $1::int4 AND node = $2 RETURNING ${COLUMNS}`,
};
const LOOK: Step = { name: 'look-at-lane', text: 'SELECT n FROM lanes WHERE lane = $1::int4 FOR UPDATE' };
const TAKE_FREE: Step = {
  name: 'take-lane',
  text: `UPDATE lanes SET epoch = epoch + 1, node = $1, until = now() + ${LEASE}
    WHERE lane = (SELECT lane FROM lanes WHERE until < now() ORDER BY lane LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING ${COLUMNS}`,
};
const ADD: Step = {
  name: 'add-lane',
  text: `INSERT INTO lanes SELECT coalesce(max(lane), 0) + 1, 0, 0, 0, 1, $1, now() + ${LEASE} FROM lanes
    ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
};
const GIVE_BACK: Step = {
  name: 'give-lane-back',
  text: `UPDATE lanes SET until = now() - interval '1 second' WHERE lane = $1::int4 AND epoch = $2::int8 AND node = $3`,
};
const ENTRY: Step = {
  name: 'entry-at',
  text: 'SELECT hash FROM entries WHERE lane = $1::int4 AND n = $2::int8',
};

async function one(connection: Connection, step: Step): Promise<Row | undefined> {
  try {
    return (await connection.run([step]))[0]?.rows[0];
  } catch (thrown) {
    // The row is held by a transaction of a connection that is gone; the server ends it soon.
    if (sqlState(thrown) === SqlState.LOCK_TIMEOUT)
      throw new Lost('the lane is held by a transaction that is not over');
    if (!endsConnection(thrown) && sqlState(thrown) === SqlState.READ_ONLY)
      throw new Lost('the server became read-only');
    throw thrown;
  }
}

function stateOf(row: Row): LaneState {
  const [lane = 0, epoch = 0, n = 0, streams = 0, lam = 0] = row.map(integer);
  return { lane, epoch, n, streams, lam };
}

function rolledBack(before: LaneState, now: { readonly n: number }): HandoverError {
  return new HandoverError(
    FaultCode.UNKNOWN_OUTCOME,
    `the database has lost acknowledged entries: lane ${before.lane} ended at ${before.n}, and now at ${now.n}; it was restored, or a standby without them became primary`,
    { next: 'fatal' },
  );
}
