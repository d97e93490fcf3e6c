/**
 * Followers of the whole feed (watches, list changes, effects). Each holds a cursor and is woken when entries were
 * stored. It reads from a short tail in memory or from the store: at least once, in order, none skipped.
 */
import type { Entry } from '@handover/core';
import type { EngineLimits, Env } from './env.js';
import { FeedTail } from './feed-tail.js';
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
  readonly #tail: FeedTail;
  /** How often `publish` was called. */
  #published = 0;

  constructor(env: Env, limits: EngineLimits) {
    this.#env = env;
    this.#tail = new FeedTail(limits);
  }

  get followers(): number {
    return this.#followers.size;
  }

  follow(after: Cursor): FeedFollower {
    const follower: Follower = { cursor: after, wake: undefined, closed: false };
    this.#followers.add(follower);
    return {
      next: () => this.#next(follower),
      stored: () => this.#stored(follower),
      get cursor() {
        return follower.cursor;
      },
      close: () => {
        follower.closed = true;
        this.#followers.delete(follower);
        follower.wake?.();
      },
    };
  }

  publish(entries: readonly Entry[], at: readonly Cursor[]): void {
    this.#published++;
    if (this.#followers.size === 0) this.#tail.restart(at.at(-1));
    else this.#tail.push(entries, at);
    for (const follower of this.#followers) follower.wake?.();
  }

  closeAll(): void {
    for (const follower of this.#followers) {
      follower.closed = true;
      follower.wake?.();
    }
    this.#followers.clear();
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
    const items =
      this.#tail.after(follower.cursor, PAGE) ?? (await this.#env.store.feed(follower.cursor, PAGE));
    const last = items.at(-1);
    if (last) follower.cursor = last.at;
    return items;
  }
}
