/**
 * The newest items of the feed, in memory, found by cursor.
 *
 * L1. Items are contiguous: nothing was stored between two neighbours, nor between the cursor that the tail began with
 *     and its first item.
 * L2. A cursor is looked up, never compared: the tail cannot tell where an unknown cursor stands.
 * L3. Items are bounded in number and bytes, and hold no payload. Beyond that, half of them is dropped at once, so that
 *     dropping costs little for each.
 */
import type { Entry } from '@handover/core';
import { type EngineLimits, headBytes } from './env.js';
import { headOnly } from './head-only.js';
import type { Cursor, FeedItem } from './store.js';

type FeedTailLimits = Pick<EngineLimits, 'feedTailEntries' | 'feedTailBytes'>;

export class FeedTail {
  readonly #limits: FeedTailLimits;
  #items: FeedItem[] = [];
  #bytes = 0;
  /** For each cursor, the number of the item after it, counted from the first item since `restart`; oldest first. */
  readonly #next = new Map<Cursor, number>();
  #dropped = 0;

  constructor(limits: FeedTailLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The items after a cursor, none when it is the end; undefined when only the store can tell. */
  after(cursor: Cursor, limit: number): readonly FeedItem[] | undefined {
    const next = this.#next.get(cursor);
    if (next === undefined) return undefined;
    const from = next - this.#dropped;
    return this.#items.slice(from, from + limit);
  }

  push(entries: readonly Entry[], at: readonly Cursor[]): void {
    for (const [index, entry] of entries.entries()) {
      const cursor = at[index];
      // An item without a cursor cannot be found: make every follower read from the store.
      if (cursor === undefined) {
        this.restart(undefined);
        return;
      }
      this.#items.push({ at: cursor, entry: headOnly(entry) });
      this.#bytes += headBytes(entry);
      this.#next.set(cursor, this.#dropped + this.#items.length);
    }
    const { feedTailEntries, feedTailBytes } = this.#limits;
    if (this.#items.length > feedTailEntries || this.#bytes > feedTailBytes)
      this.#keep(feedTailEntries / 2, feedTailBytes / 2);
  }

  /** Keeps nothing but the end of the feed, where the next tail begins. */
  restart(end: Cursor | undefined): void {
    this.#items = [];
    this.#bytes = 0;
    this.#dropped = 0;
    this.#next.clear();
    if (end !== undefined) this.#next.set(end, 0);
  }

  #keep(entries: number, bytes: number): void {
    let count = 0;
    for (const { entry } of this.#items) {
      if (this.#items.length - count <= entries && this.#bytes <= bytes) break;
      this.#bytes -= headBytes(entry);
      count++;
    }
    this.#items = this.#items.slice(count);
    this.#dropped += count;
    // Keep the cursor of the last dropped item: it stands right before the first item that is left.
    for (const cursor of this.#next.keys()) {
      if (this.#next.size <= this.#items.length + 1) break;
      this.#next.delete(cursor);
    }
  }
}
