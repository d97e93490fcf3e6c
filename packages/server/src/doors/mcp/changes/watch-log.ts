/** Follows the log and says what each page of it has changed. After a failure of the store it goes on where it was. */
import type { Engine, FeedItem } from '@handover/engine';
import type { Log } from '../../../observe/log.js';
import { type ChangeNote, changesLists } from './subscriptions.js';
import { topicsOf } from './topics.js';

const PAUSE_MS = 1_000;

export async function watchLog(
  engine: Engine,
  log: Log,
  onChange: (note: ChangeNote) => Promise<void>,
): Promise<() => void> {
  let position = await engine.position();
  let follower = engine.follow(position);
  let stopped = false;
  const run = async (): Promise<void> => {
    while (!stopped) {
      const items = await follower.next();
      if (!items) return;
      for (const note of await notesOf(engine, items)) await onChange(note);
      position = follower.cursor;
    }
  };
  const keepOn = async (): Promise<void> => {
    while (!stopped) {
      try {
        await run();
        return;
      } catch (thrown) {
        log.warn('mcp.changes_interrupted', { error: thrown });
        follower.close();
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
        follower = engine.follow(position);
      }
    }
  };
  void keepOn();
  return () => {
    stopped = true;
    follower.close();
  };
}

/** One note per stream, for all its entries in this page. */
async function notesOf(engine: Engine, items: readonly FeedItem[]): Promise<readonly ChangeNote[]> {
  const streams = new Map<string, { readonly item: FeedItem; listed: boolean }>();
  for (const item of items) {
    const { tenant, kind, id } = item.entry.stream;
    const key = `${tenant}\n${kind}/${id}`;
    const known = streams.get(key) ?? { item, listed: false };
    known.listed ||= changesLists(item.entry);
    streams.set(key, known);
  }
  const notes: ChangeNote[] = [];
  for (const { item, listed } of streams.values()) {
    const topics = await topicsOf(engine, item.entry);
    if (topics.length > 0) notes.push({ tenant: item.entry.stream.tenant, topics, listed });
  }
  return notes;
}
