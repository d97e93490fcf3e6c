/**
 * Those who were told to wait stand in line. A runtime that takes so many messages a minute has one place after another
 * again: if all came back at the same moment, all but one would be refused again, and again.
 *
 * L1. Nobody waits as long as nobody was refused.
 * L2. After a refusal one at a time goes on, in order, when the wait is over; whoever is refused there keeps the place.
 * L3. Who gives up leaves the place to the next.
 */
import { pause } from './backoff.js';

/** A place in a line, until it is left. */
export interface Place {
  /** Resolves when the wait is over, or the signal has fired. */
  ready(ending: AbortSignal): Promise<void>;
  leave(): void;
}

export class Line {
  #until = 0;
  #last: Promise<void> | undefined;

  get isClosed(): boolean {
    return this.#last !== undefined || this.waitMs > 0;
  }

  /** What is left of the wait that was asked for. */
  get waitMs(): number {
    return this.#until - performance.now();
  }

  refused(askedMs: number): void {
    this.#until = Math.max(this.#until, performance.now() + askedMs);
  }

  /** A place at the end, when it has become the first; undefined when the signal has fired before. */
  async enter(ending: AbortSignal): Promise<Place | undefined> {
    const before = this.#last;
    let open = () => {};
    const mine = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#last = mine;
    const leave = () => {
      if (this.#last === mine) this.#last = undefined;
      open();
    };
    await unless(ending, before);
    if (ending.aborted) {
      if (before) void before.then(leave);
      else leave();
      return undefined;
    }
    return { leave, ready: (signal) => this.#ready(signal) };
  }

  async #ready(ending: AbortSignal): Promise<void> {
    while (this.waitMs > 0 && !ending.aborted) await pause(this.waitMs, ending);
  }
}

async function unless(ending: AbortSignal, waited: Promise<void> | undefined): Promise<void> {
  if (!waited || ending.aborted) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      ending.removeEventListener('abort', go);
      resolve();
    };
    ending.addEventListener('abort', go, { once: true });
    void waited.then(go);
  });
}

const lines = new WeakMap<object, Map<string, Line>>();

/** The line of a budget of a client: the runtime counts each sender's session starts and messages. */
export function lineOf(client: object, budget: string): Line {
  const all = lines.get(client) ?? new Map<string, Line>();
  lines.set(client, all);
  // What nobody waits in is forgotten.
  for (const [name, line] of all) if (!line.isClosed) all.delete(name);
  const line = all.get(budget) ?? new Line();
  all.set(budget, line);
  return line;
}
