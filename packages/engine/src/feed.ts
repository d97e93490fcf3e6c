/**
 * Followers of the whole feed (watches, list changes, effects): cursors by position, woken when something was stored.
 * What they read comes from a short tail in memory or from the store; at least once, in order, none skipped.
 */
import type { Entry } from '@handover/core';
import type { Env } from './env.js';
import type { FeedItem } from './store.js';

export interface FeedFollower {
  /** The next items, at least one; undefined after close. */
  next(): Promise<readonly FeedItem[] | undefined>;
  readonly cursor: number;
  close(): void;
}

interface Follower {
  cursor: number;
  wake: (() => void) | undefined;
  closed: boolean;
}

const TAIL_ITEMS = 4_096;
const PAGE = 256;

export class Feed {
  readonly #env: Env;
  readonly #followers = new Set<Follower>();
  #tail: FeedItem[] = [];
  #last = 0;

  constructor(env: Env) {
    this.#env = env;
  }

  follow(afterPos: number): FeedFollower {
    const follower: Follower = { cursor: afterPos, wake: undefined, closed: false };
    this.#followers.add(follower);
    return {
      next: () => this.#next(follower),
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

  publish(entries: readonly Entry[], positions: readonly number[]): void {
    this.#last = positions.at(-1) ?? this.#last;
    if (this.#followers.size === 0) {
      this.#tail = [];
      return;
    }
    for (const [index, entry] of entries.entries())
      this.#tail.push({ pos: positions[index] ?? this.#last, entry });
    if (this.#tail.length > TAIL_ITEMS) this.#tail = this.#tail.slice(-TAIL_ITEMS / 2);
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
      const items = this.#fromTail(follower.cursor) ?? (await this.#env.store.feed(follower.cursor, PAGE));
      const last = items.at(-1);
      if (last) {
        follower.cursor = last.pos;
        return items;
      }
      if (follower.closed) return undefined;
      // Something may have been stored while the store was being asked: only an up-to-date cursor waits.
      if (follower.cursor < this.#last) continue;
      await new Promise<void>((resolve) => {
        follower.wake = resolve;
      });
      follower.wake = undefined;
    }
  }

  /** The tail serves a cursor only when nothing can lie between the two. */
  #fromTail(after: number): readonly FeedItem[] | undefined {
    const first = this.#tail[0];
    if (!first || first.pos > after + 1) return undefined;
    const items = this.#tail.filter(({ pos }) => pos > after).slice(0, PAGE);
    return items.length > 0 ? items : undefined;
  }
}
