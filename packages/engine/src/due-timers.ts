/**
 * Wakes streams when they fall due. Results do not depend on it, because every access to a due stream ticks it first.
 * It only makes expiries and implicit answers prompt.
 *
 * Only streams due within the horizon are held in memory; the store is asked for the rest at each sweep.
 *
 * Where other nodes write, a node arms timers for what it wrote itself. What is late all the same (its node is gone) is woken
 * by the node that `rendezvous` names, and a little later by any: no node leads, and none is waited for. Two that wake one
 * stream do no harm, because the second finds it ticked.
 */
import { HandoverError, type StreamRef, streamKey } from '@handover/core';
import type { Env, Sleep } from './env.js';
import { rendezvous } from './rendezvous.js';
import type { DueStream } from './store.js';

const SWEEP_PAGE = 500;
/** How often a node looks for what other nodes let pass. */
const SHARED_SWEEP_MS = 5_000;
/** How late a stream is when it counts as let pass: for the node that is named, and for all others. */
const NAMED_AFTER_MS = 2_000;
const ANY_AFTER_MS = 10_000;

export class DueTimers {
  readonly #env: Env;
  readonly #horizonMs: number;
  readonly #wake: (ref: StreamRef) => Promise<void>;
  readonly #due = new Map<string, { readonly ref: StreamRef; readonly at: number }>();
  #timer: Sleep | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(env: Env, horizonMs: number, wake: (ref: StreamRef) => Promise<void>) {
    this.#env = env;
    this.#horizonMs = horizonMs;
    this.#wake = wake;
  }

  /** Sweeps now, and then at intervals until `close`. */
  start(): void {
    void this.#sweepForEver();
  }

  /** Wakes everything that is due by now, whoever wrote it; resolves when that is stored. */
  catchUp(): Promise<void> {
    return this.#sweep(() => true);
  }

  /** Notes when a stream is due; null: it is not due any more. */
  note(ref: StreamRef, due: number | null): void {
    const key = streamKey(ref);
    if (due === null || due > this.#now() + this.#horizonMs) {
      this.#due.delete(key);
      return;
    }
    this.#due.set(key, { ref, at: due });
    this.#arm(due);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#due.clear();
  }

  async #sweepForEver(): Promise<void> {
    while (!this.#closed) {
      await this.#sweep((item) => this.#isMine(item));
      await this.#env.sleep(this.#env.store.shared ? SHARED_SWEEP_MS : this.#horizonMs / 2).done;
    }
  }

  #now(): number {
    return this.#env.store.shared?.now() ?? this.#env.now();
  }

  /** Whether this node wakes a stream that is late. */
  #isMine({ ref, due }: DueStream): boolean {
    const { shared } = this.#env.store;
    if (!shared) return true;
    const late = this.#now() - due;
    if (late > ANY_AFTER_MS) return true;
    const { me, live } = shared.members();
    return late > NAMED_AFTER_MS && rendezvous(streamKey(ref), live) === me;
  }

  /** One pass over what is due: each late stream is woken once. One that fails waits for the next sweep. */
  async #sweep(isMine: (item: DueStream) => boolean): Promise<void> {
    const now = this.#now();
    let after: DueStream | undefined;
    try {
      do {
        const query = { upTo: now + this.#horizonMs, limit: SWEEP_PAGE, ...(after && { after }) };
        const page = await this.#env.store.due(query);
        const late = page.filter(({ due }) => due <= now);
        // Other nodes arm the timers of what they wrote.
        if (!this.#env.store.shared) for (const { ref, due } of page) if (due > now) this.note(ref, due);
        await Promise.all(late.filter(isMine).map(({ ref }) => this.#wakeSafely(ref)));
        // A page full of late streams means that there may be more of them; the others wait for their timer.
        after = late.length < SWEEP_PAGE ? undefined : late.at(-1);
      } while (after && !this.#closed);
    } catch (thrown) {
      this.#env.log.error('due.sweep_failed', { code: HandoverError.from(thrown).code });
    }
  }

  #arm(at: number): void {
    if (at >= this.#timerAt || this.#closed) return;
    this.#timer?.cancel();
    this.#timerAt = at;
    const timer = this.#env.sleep(Math.max(at - this.#now(), 0));
    this.#timer = timer;
    void timer.done.then(() => {
      if (this.#timer === timer) this.#fire();
    });
  }

  #fire(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = this.#now();
    let next = Number.POSITIVE_INFINITY;
    for (const [key, { ref, at }] of this.#due) {
      if (at > now) next = Math.min(next, at);
      else {
        this.#due.delete(key);
        void this.#wakeSafely(ref);
      }
    }
    if (next !== Number.POSITIVE_INFINITY) this.#arm(next);
  }

  async #wakeSafely(ref: StreamRef): Promise<void> {
    try {
      await this.#wake(ref);
    } catch (thrown) {
      this.#env.log.warn('due.wake_failed', {
        kind: ref.kind,
        id: ref.id,
        code: HandoverError.from(thrown).code,
      });
    }
  }
}
