/** The nodes of one run, on one database, and what befalls them. */
import type { Env } from '../../packages/engine/src/index.js';
import { deciders } from '../../packages/server/src/compose/deciders.js';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { SimDatabase } from './database.js';
import { openDriver } from './driver.js';
import { createEngine, type Engine } from './engine.js';
import type { Faults } from './faults.js';
import type { Random } from './random.js';
import type { Schedule } from './schedule.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
/** Late enough that nothing stops the answer to a caller whose node died. */
const START_AFTER_MS = 200;

/** The process of a node died while a call of it was under way. */
export class Died extends Error {}

interface Node {
  readonly lane: number;
  readonly skewMs: number;
  engine: Engine;
  isDead: boolean;
  isGone: boolean;
  stoppedUntil: number;
  cutUntil: number;
  /** Rejects when this life of the node ends. */
  death: Promise<never>;
  die: () => void;
}

export class World {
  readonly database: SimDatabase;
  readonly nodes: readonly Node[];
  /** What befell them, counted: a run in which nothing did proves nothing. */
  readonly happened: Record<string, number> = {};
  readonly schedule: Schedule;
  readonly random: Random;
  readonly #faults: Faults;
  /** Nothing befalls anybody any more. */
  isCalm = false;

  constructor(schedule: Schedule, random: Random, faults: Faults) {
    this.schedule = schedule;
    this.random = random;
    this.#faults = faults;
    this.database = new SimDatabase(schedule);
    this.nodes = Array.from({ length: faults.nodes }, (_, lane) => this.#node(lane));
    this.#befall('crash', faults.crashEvery, (node) => this.#crash(node));
    this.#befall('stall', faults.stallEvery, (node) => {
      node.stoppedUntil = schedule.now + 12_000 * random();
    });
    this.#befall('cut', faults.cutEvery, (node) => {
      node.cutUntil = schedule.now + 25_000 * random() ** 2;
    });
    this.#befall('restart', faults.restartEvery, () => this.database.restart());
    this.#befall('jump', faults.jumpEvery, () => {
      this.database.clockSkew += (random() - 0.3) * 10_000;
    });
  }

  /** Asks some node; rejects with Died when it dies meanwhile. */
  async ask<T>(
    question: (engine: Engine) => Promise<T>,
    at = this.random.below(this.nodes.length),
  ): Promise<T> {
    const node = this.nodes[at];
    if (!node || node.isDead) throw new Died();
    return Promise.race([question(node.engine), node.death]);
  }

  /** Nothing befalls anybody any more; who is down comes back. */
  calm(): void {
    this.isCalm = true;
    const [one, ...others] = this.nodes.filter((node) => !node.isGone);
    // One that has just gone: what it would have woken falls to the others.
    if (one && others.length > 0 && this.random.chance(0.5)) {
      one.isGone = true;
      one.isDead = true;
      one.die();
    }
    for (const node of this.nodes) {
      node.stoppedUntil = 0;
      node.cutUntil = 0;
    }
  }

  count(what: string): void {
    this.happened[what] = (this.happened[what] ?? 0) + 1;
  }

  #node(lane: number): Node {
    const { skewMs } = this.#faults;
    const node = {
      lane,
      skewMs: skewMs * (2 * this.random() - 1),
      isDead: false,
      isGone: false,
      stoppedUntil: 0,
      cutUntil: 0,
    } as Node;
    this.#start(node);
    return node;
  }

  #start(node: Node): void {
    const { schedule, random, database } = this;
    node.isDead = false;
    let isThisLife = true;
    node.death = new Promise<never>((_, reject) => {
      node.die = () => {
        isThisLife = false;
        reject(new Died());
      };
    });
    node.death.catch(() => {});
    // What a dead process waits for never comes.
    const awake = async (): Promise<void> => {
      for (;;) {
        if (!isThisLife) return new Promise(() => {});
        if (node.stoppedUntil <= schedule.now) return;
        await schedule.wait(node.stoppedUntil - schedule.now);
      }
    };
    const me = `n${node.lane}`;
    const driver = openDriver(
      {
        schedule,
        random,
        database,
        faults: this.#faults,
        awake,
        isCut: () => node.cutUntil > schedule.now,
      },
      node.lane,
      me,
    );
    const env: Env = {
      now: () => schedule.now + node.skewMs,
      sleep: (ms) => {
        const { done, cancel } = schedule.sleep(ms);
        return { done: done.then(awake), cancel };
      },
      random: (n) => random.bytes(n),
      store: driver,
      codec: nodeCodec,
      log: silent,
    };
    node.engine = createEngine(env, deciders, { batchCommands: 256 });
    node.engine.start();
    const beat = (): void => {
      if (!isThisLife || this.isCalm) return;
      if (node.cutUntil <= schedule.now && node.stoppedUntil <= schedule.now) database.sign(me);
      schedule.after(5_000, beat);
    };
    beat();
  }

  #crash(node: Node): void {
    if (node.isDead) return;
    node.isDead = true;
    node.die();
    // Some never come back, if another one is there.
    const others = this.nodes.filter((other) => other !== node && !other.isGone);
    if (others.length > 0 && this.random.chance(0.1)) node.isGone = true;
    else
      this.schedule.after(START_AFTER_MS + 2_000 * this.random(), () => {
        if (!node.isGone) this.#start(node);
      });
  }

  #befall(what: string, every: number | undefined, deed: (node: Node) => void): void {
    if (every === undefined) return;
    this.schedule.after(every * 2 * this.random(), () => {
      if (this.isCalm) return;
      this.count(what);
      const node = this.nodes[this.random.below(this.nodes.length)];
      if (node) deed(node);
      this.#befall(what, every, deed);
    });
  }
}
