/**
 * Looks at the open claims of one chain, again and again.
 *
 * W1. Each chain has its own watch, and a few looks run at once: a chain that is silent holds up no other.
 * W2. Those who made the records take turns, so a thousand records of one agent delay another's by one look.
 * W3. The longer nothing happens to a record, the less often it is looked at. One of which nobody waits for anything is
 *     looked at every few minutes, in case something turns up.
 * W4. While the RPC is left alone, nothing is looked at. A look that fails leaves its record watched and the others alone.
 */
import { type StreamRef, streamKey } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { Turns } from '../../platform/turns.js';
import type { LookResult } from './look-at-record.js';

export interface ChainWatchOptions {
  readonly pollMs: number;
  /** False: nothing is looked at before `resume` is called. */
  readonly mayLook: () => boolean;
  /** Never throws. */
  readonly look: (ref: StreamRef<'operation'>) => Promise<LookResult>;
  /** Nothing is watched any more. */
  readonly onEmpty: () => void;
}

interface Watched {
  readonly ref: StreamRef<'operation'>;
  readonly owner: string;
  /** How many looks in a row learned nothing. */
  quiet: number;
  nextAt: number;
}

const MAX_POLL_MS = 60_000;
const SLOWER = 1.15;

export class ChainWatch {
  readonly #options: ChainWatchOptions;
  readonly #open = new Map<string, Watched>();
  /** Those whose time has come. */
  readonly #turns = new Turns<Watched>();
  readonly #looking = new Set<Promise<void>>();
  #pausedUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ChainWatchOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Records whose time has come and that wait for their turn. */
  get waiting(): number {
    return this.#turns.size;
  }

  /** Makes a new object each time: a claim that comes while its record is looked at keeps the record watched. */
  watch(ref: StreamRef<'operation'>, owner: string): void {
    const key = streamKey(ref);
    const before = this.#open.get(key);
    if (before) this.#turns.delete(before.owner, before);
    const watched = { ref, owner, quiet: 0, nextAt: 0 };
    this.#open.set(key, watched);
    this.#turns.add(owner, watched);
    this.#advance();
  }

  /** Looking may begin. */
  resume(): void {
    this.#advance();
  }

  /** Looks at every record once, whatever the time; tests call it instead of waiting. */
  async lookAtAll(): Promise<void> {
    for (const watched of [...this.#open.values()]) await this.#look(watched);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await Promise.all(this.#looking);
  }

  #advance(): void {
    if (this.#closed) return;
    const paused = !this.#options.mayLook() || performance.now() < this.#pausedUntil;
    while (!paused && this.#turns.size > 0 && this.#looking.size < fixedLimits.chainLooksAtOnce.value) {
      const watched = this.#turns.take();
      if (watched) this.#begin(watched);
    }
    this.#schedule();
  }

  #begin(watched: Watched): void {
    const looking = this.#look(watched).finally(() => {
      this.#looking.delete(looking);
      this.#advance();
    });
    this.#looking.add(looking);
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#open.size === 0) return;
    const wait = Math.max(this.#options.pollMs, this.#pausedUntil - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#takeDue(performance.now());
      this.#advance();
    }, wait).unref();
  }

  #takeDue(now: number): void {
    for (const watched of this.#open.values())
      if (watched.nextAt <= now) this.#turns.add(watched.owner, watched);
  }

  async #look(watched: Watched): Promise<void> {
    const { pollMs, look, onEmpty } = this.#options;
    // Not again before this look has ended.
    watched.nextAt = Number.POSITIVE_INFINITY;
    const { again, moved, calmMs = 0, pausedMs } = await look(watched.ref);
    const key = streamKey(watched.ref);
    // A claim that came meanwhile has replaced the object, so its record stays watched.
    const isCurrent = this.#open.get(key) === watched;
    if (!again && isCurrent) this.#open.delete(key);
    if (pausedMs !== undefined) this.#pausedUntil = performance.now() + pausedMs;
    else watched.quiet = moved ? 0 : watched.quiet + 1;
    const busy = Math.min(MAX_POLL_MS, pollMs * SLOWER ** Math.max(0, watched.quiet - 1));
    const wait = Math.max(busy, calmMs);
    watched.nextAt = pausedMs === undefined ? performance.now() + wait - pollMs / 2 : 0;
    if (this.#open.size === 0) onEmpty();
  }
}
