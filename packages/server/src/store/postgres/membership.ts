/** Who writes to this database: each node says every so often that it is there, and renews the lease of its lane. */
import type { Members } from '@handover/engine';
import { type LaneState, LEASE } from './lane.js';
import type { Pool } from './pool.js';
import { text } from './rows.js';
import type { Step } from './stage.js';

const EVERY_MS = 10_000;

const SIGN: Step = {
  name: 'sign',
  text: `INSERT INTO nodes VALUES ($1, $2, now(), now()) ON CONFLICT (node) DO UPDATE SET seen = excluded.seen`,
};
const RENEW: Step = {
  name: 'renew-lane',
  text: `UPDATE lanes SET until = now() + ${LEASE} WHERE lane = $1::int4 AND epoch = $2::int8 AND node = $3`,
};
const FORGET: Step = {
  name: 'forget-nodes',
  text: `DELETE FROM nodes WHERE seen < now() - interval '1 day'`,
};
const LIVE: Step = {
  name: 'live-nodes',
  text: `SELECT node FROM nodes WHERE seen > now() - ${LEASE} ORDER BY node`,
};
const LEAVE: Step = { name: 'leave', text: 'DELETE FROM nodes WHERE node = $1' };

export class Membership {
  readonly #pool: Pool;
  readonly #me: string;
  readonly #version: string;
  readonly #lane: () => LaneState | undefined;
  #live: readonly string[];
  #timer: NodeJS.Timeout | undefined;
  #signing: Promise<void> = Promise.resolve();

  constructor(pool: Pool, me: string, version: string, lane: () => LaneState | undefined) {
    this.#pool = pool;
    this.#me = me;
    this.#version = version;
    this.#lane = lane;
    this.#live = [me];
  }

  async start(): Promise<void> {
    await this.#sign();
    this.#timer = setInterval(() => {
      this.#signing = this.#sign().catch(() => undefined);
    }, EVERY_MS);
    this.#timer.unref();
  }

  members(): Members {
    return { me: this.#me, live: this.#live };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#signing;
    await this.#pool
      .change('the leave of a node', (connection) => connection.run([{ ...LEAVE, values: [this.#me] }]))
      .catch(() => undefined);
  }

  async #sign(): Promise<void> {
    const lane = this.#lane();
    const steps: Step[] = [{ ...SIGN, values: [this.#me, this.#version] }, FORGET];
    if (lane) steps.push({ ...RENEW, values: [lane.lane, lane.epoch, this.#me] });
    const done = await this.#pool.change('the sign of a node', (connection) =>
      connection.run([...steps, LIVE]),
    );
    const live = (done.at(-1)?.rows ?? []).map(([node]) => text(node));
    this.#live = live.includes(this.#me) ? live : [...live, this.#me];
  }
}
