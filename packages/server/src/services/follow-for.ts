/**
 * The feed for a time. The time bounds the waiting only: what is stored at the call is given first, however short the
 * time and however busy the machine, so that a caller who does not want to wait at all hears what is there.
 */
import type { Cursor, Engine, FeedItem } from '@handover/engine';
import { timedSignal } from '../platform/timed-signal.js';

export interface FollowBounds {
  readonly ms: number;
  readonly signal: AbortSignal;
}

export async function* followFor(
  engine: Pick<Engine, 'behind' | 'follow'>,
  after: Cursor,
  { ms, signal }: FollowBounds,
): AsyncGenerator<FeedItem> {
  const until = timedSignal(signal, ms);
  const follower = engine.follow(after);
  const close = () => follower.close();
  try {
    let stored = await engine.behind(after);
    while (stored > 0 && !signal.aborted) {
      const items = await follower.stored();
      // The store may have counted gaps.
      if (items.length === 0) break;
      stored -= items.length;
      yield* items;
    }
    until.signal.addEventListener('abort', close);
    while (!until.signal.aborted) {
      const items = await follower.next();
      if (!items) return;
      yield* items;
    }
  } finally {
    until.signal.removeEventListener('abort', close);
    until.release();
    follower.close();
  }
}
