/**
 * Virtual time. Everything that waits in the simulation waits here, so one seed gives one order of events.
 *
 * After each event one turn of the real event loop passes, in which all promises that it set going run to their next wait.
 */
import type { Sleep } from '@handover/engine';
import type { Random } from './random.js';

interface Event {
  readonly at: number;
  /** Which of two events of one moment comes first is chance. */
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

export class Schedule {
  readonly #random: Random;
  readonly #heap: Event[] = [];
  now: number;
  events = 0;

  constructor(random: Random, now: number) {
    this.#random = random;
    this.now = now;
  }

  /** Returns what cancels it. */
  after(ms: number, run: () => void): () => void {
    const event = { at: this.now + Math.max(0, ms), order: this.#random(), run, cancelled: false };
    this.#push(event);
    return () => {
      event.cancelled = true;
    };
  }

  sleep(ms: number): Sleep {
    let cancel = (): void => {};
    const done = new Promise<void>((resolve) => {
      cancel = this.after(ms, resolve);
    });
    return { done, cancel };
  }

  wait(ms: number): Promise<void> {
    return this.sleep(ms).done;
  }

  /** Runs until `isOver`, or nothing is left to happen, or that many events have passed. */
  async run(isOver: () => boolean, most: number): Promise<void> {
    for (let n = 0; n < most && !isOver(); n++) {
      const event = this.#pop();
      if (!event) return;
      if (event.cancelled) continue;
      this.now = Math.max(this.now, event.at);
      this.events++;
      event.run();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent])) break;
      heap[at] = heap[parent] as Event;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right && isBefore(right, heap[child])) child++;
      const best = heap[child] as Event;
      if (!isBefore(best, last)) break;
      heap[at] = best;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: Event, b: Event | undefined): boolean {
  return b === undefined || a.at < b.at || (a.at === b.at && a.order < b.order);
}
