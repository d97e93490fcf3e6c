/**
 * Followers of the whole feed (watches, list changes, effects). Each holds a cursor and is woken when entries were
 * stored. It reads from a short tail in memory or from the store: at least once, in order, none skipped.
 *
 * Where other nodes write there is no tail, because this node cannot tell what they stored between two of its own entries.
 * Followers at one cursor share a read of the store.
 */
import type { Entry } from '@handover/core';
import type { EngineLimits, Env } from './env.js';
import { FeedTail } from './feed-tail.js';
import type { News } from './news.js';
import type { Cursor, FeedItem } from './store.js';

export interface FeedFollower {
  /** The next items, at least one; undefined after close. */
  next(): Promise<readonly FeedItem[] | undefined>;
  /** The next items that are stored already; none: there are none now, or it is closed. */
  stored(): Promise<readonly FeedItem[]>;
  readonly cursor: Cursor;
  close(): void;
}

interface Follower {
  cursor: Cursor;
  wake: (() => void) | undefined;
  closed: boolean;
}

const PAGE = 256;

export class Feed {
  readonly #env: Env;
  readonly #followers = new Set<Follower>();
  /** Absent where other nodes write. */
  readonly #tail: FeedTail | undefined;
  readonly #reads = new Map<Cursor, Promise<readonly FeedItem[]>>();
  /** How often there was news. */
  #published = 0;

  readonly #news: News;

  constructor(env: Env, limits: EngineLimits, news: News) {
    this.#env = env;
    this.#news = news;
    this.#tail = env.store.shared ? undefined : new FeedTail(limits);
  }

  get followers(): number {
    return this.#followers.size;
  }

  follow(after: Cursor): FeedFollower {
    const follower: Follower = { cursor: after, wake: undefined, closed: false };
    this.#followers.add(follower);
    this.#news.hold();
    return {
      next: () => this.#next(follower),
      stored: () => this.#stored(follower),
      get cursor() {
        return follower.cursor;
      },
      close: () => this.#close(follower),
    };
  }

  #close(follower: Follower): void {
    if (!this.#followers.delete(follower)) return;
    follower.closed = true;
    this.#news.release();
    follower.wake?.();
  }

  publish(entries: readonly Entry[], at: readonly Cursor[]): void {
    if (this.#followers.size === 0) this.#tail?.restart(at.at(-1));
    else this.#tail?.push(entries, at);
    this.moved();
  }

  /** Something was stored, by this node or by another. */
  moved(): void {
    this.#published++;
    // A read that began before the news may lack it.
    this.#reads.clear();
    for (const follower of this.#followers) follower.wake?.();
  }

  closeAll(): void {
    for (const follower of [...this.#followers]) this.#close(follower);
  }

  async #next(follower: Follower): Promise<readonly FeedItem[] | undefined> {
    for (;;) {
      if (follower.closed) return undefined;
      const published = this.#published;
      const items = await this.#stored(follower);
      if (items.length > 0) return items;
      if (follower.closed) return undefined;
      // A `publish` during the read of the store found nobody to wake: look again.
      if (this.#published !== published) continue;
      await new Promise<void>((resolve) => {
        follower.wake = resolve;
      });
      follower.wake = undefined;
    }
  }

  async #stored(follower: Follower): Promise<readonly FeedItem[]> {
    if (follower.closed) return [];
    const { cursor } = follower;
    const items = this.#tail?.after(cursor, PAGE) ?? (await this.#read(cursor));
    const last = items.at(-1);
    if (last) follower.cursor = last.at;
    return items;
  }

  #read(cursor: Cursor): Promise<readonly FeedItem[]> {
    let read = this.#reads.get(cursor);
    if (!read) {
      const own = this.#env.store.feed(cursor, PAGE).finally(() => {
        if (this.#reads.get(cursor) === own) this.#reads.delete(cursor);
      });
      read = own;
      this.#reads.set(cursor, read);
    }
    return read;
  }
}
