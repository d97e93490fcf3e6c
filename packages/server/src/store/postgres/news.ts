/**
 * What other nodes store, found by looking at the lanes every so often.
 *
 * W1. It looks all the time, rarely while nobody listens. So its place is never later than the moment at which somebody
 *     began to listen, and nothing falls between.
 * W2. What this node was told to be stored is no news; what it stored without learning of it, is.
 */
import type { MovedStream } from '@handover/engine';
import { ENDS, endsOf } from './feed.js';
import type { Pool } from './pool.js';
import { integer, refOf } from './rows.js';
import type { Step } from './stage.js';
import { type Vector, vectorColumns } from './vector-cursor.js';

const BUSY_MS = 20;
const QUIET_MS = 250;
const PAGE = 2_000;

/** One row for each stream of the page; `n` is how far the page reaches in its lane. */
const MOVED: Step = {
  name: 'moved',
  text: `SELECT e.lane, e.n, s.tenant, s.kind, s.name, e.seq FROM unnest($1::int4[], $2::int8[]) k(lane, n)
    CROSS JOIN LATERAL (SELECT lane, n, stream, seq FROM entries e WHERE e.lane = k.lane AND e.n > k.n ORDER BY e.n LIMIT ${PAGE}) e
    JOIN streams s ON s.id = e.stream ORDER BY e.lane, e.n`,
};

type Told = (streams: readonly MovedStream[]) => void;

export class StoreNews {
  readonly #pool: Pool;
  readonly #listeners = new Set<Told>();
  /** What was answered as stored, in this node's lanes. */
  #own: { readonly lane: number; readonly from: number; readonly to: number }[] = [];
  #at = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** From here on it knows where it is. */
  async start(): Promise<void> {
    this.#at = await this.#ends();
    this.#plan();
  }

  listen(told: Told): () => void {
    // One for each call: the same function may listen twice.
    const listener: Told = (streams) => told(streams);
    this.#listeners.add(listener);
    this.#plan();
    return () => {
      this.#listeners.delete(listener);
    };
  }

  stored(lane: number, from: number, to: number): void {
    const last = this.#own.at(-1);
    if (last?.lane === lane && last.to === from - 1) this.#own[this.#own.length - 1] = { ...last, to };
    else this.#own.push({ lane, from, to });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(
      () => {
        this.#looking = this.#look().catch(() => undefined);
        void this.#looking.then(() => this.#plan());
      },
      this.#listeners.size > 0 ? BUSY_MS : QUIET_MS,
    );
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const ends = await this.#ends();
    const behind = new Map([...ends].filter(([lane, n]) => n > (this.#at.get(lane) ?? 0)));
    if (behind.size === 0) return;
    if (this.#listeners.size === 0) return this.#reach(ends);
    const from: Vector = new Map([...behind.keys()].map((lane) => [lane, this.#at.get(lane) ?? 0]));
    const [done] = await this.#pool.read([{ ...MOVED, values: vectorColumns(from) }]);
    const reached = new Map(this.#at);
    const streams = new Map<string, MovedStream>();
    for (const row of done?.rows ?? []) {
      const [lane, n] = [integer(row[0]), integer(row[1])];
      reached.set(lane, n);
      if (this.#isOwn(lane, n)) continue;
      const ref = refOf(row, 2);
      streams.set(`${row[2]}\n${row[3]}\n${row[4]}`, { ref, seq: integer(row[5]) });
    }
    this.#reach(reached);
    if (streams.size === 0) return;
    const moved = [...streams.values()];
    for (const told of this.#listeners) told(moved);
  }

  #isOwn(lane: number, n: number): boolean {
    return this.#own.some((range) => range.lane === lane && n >= range.from && n <= range.to);
  }

  #reach(at: Map<number, number>): void {
    this.#at = at;
    this.#own = this.#own.filter(({ lane, to }) => to > (at.get(lane) ?? 0));
  }

  async #ends(): Promise<Map<number, number>> {
    const [done] = await this.#pool.read([ENDS]);
    return endsOf(done?.rows ?? []);
  }
}
