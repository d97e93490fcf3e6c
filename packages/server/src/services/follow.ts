/** The feed as an async generator that ends with its signal. */
import type { Cursor, Engine, FeedItem } from '@handover/engine';

export async function* follow(engine: Engine, after: Cursor, signal: AbortSignal): AsyncGenerator<FeedItem> {
  const follower = engine.follow(after);
  const close = () => follower.close();
  signal.addEventListener('abort', close);
  try {
    while (!signal.aborted) {
      const items = await follower.next();
      if (!items) return;
      yield* items;
    }
  } finally {
    signal.removeEventListener('abort', close);
    follower.close();
  }
}
