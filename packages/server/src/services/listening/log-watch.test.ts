import type { EntryHead, HandoverError } from '@handover/core';
import type { Cursor, Engine, FeedItem } from '@handover/engine';
import { describe, expect, it } from 'vitest';
import { type Desk, LogWatch } from './log-watch.js';

const cursor = (n: number) => `c${n}` as Cursor;

/** A log that the test writes, and a desk that notes what it passes on. A read can be held up. */
function setUp() {
  const log = { end: 0, followers: 0, starts: 0 };
  const feeds = new Set<(items: readonly FeedItem[] | Error | undefined) => void>();
  const engine = {
    position: async () => cursor(log.end),
    follow: () => {
      log.starts++;
      log.followers++;
      const queue: (readonly FeedItem[] | Error | undefined)[] = [];
      let wake: (() => void) | undefined;
      const feed = (items: readonly FeedItem[] | Error | undefined) => {
        queue.push(items);
        wake?.();
      };
      feeds.add(feed);
      return {
        cursor: cursor(log.end),
        async next() {
          while (queue.length === 0)
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          const items = queue.shift();
          if (items instanceof Error) throw items;
          return items;
        },
        close() {
          if (feeds.delete(feed)) log.followers--;
          feed(undefined);
        },
      };
    },
  } as unknown as Engine;
  const passed: number[] = [];
  const closed: (HandoverError | undefined)[] = [];
  const held: (() => void)[] = [];
  const state = { holds: false };
  const desk: Desk = {
    async read({ seq }) {
      if (state.holds) await new Promise<void>((resolve) => held.push(resolve));
      return () => passed.push(seq);
    },
    close: (fault) => void closed.push(fault),
  };
  const write = (count: number) => {
    const items = Array.from({ length: count }, () => {
      log.end++;
      return { at: cursor(log.end), entry: { seq: log.end } as EntryHead };
    });
    for (const feed of feeds) feed(items);
  };
  const fail = () => {
    for (const feed of [...feeds]) feed(new Error('the store is away'));
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { watch: new LogWatch(engine, [desk]), log, passed, closed, held, state, write, fail, settled };
}

describe('the follower that watches share', () => {
  it('is one, for as long as somebody watches', async () => {
    const { watch, log, passed, write, settled } = setUp();
    const users = await Promise.all(Array.from({ length: 100 }, () => watch.enter()));
    expect(log).toMatchObject({ starts: 1, followers: 1 });
    write(3);
    await settled();
    expect(passed).toEqual([1, 2, 3]);
    for (const { leave } of users) leave();
    await settled();
    expect(log.followers).toBe(0);
    write(1);
    await settled();
    expect(passed).toEqual([1, 2, 3]);
  });

  it('is at the last entry that was passed on, not at the last that was read', async () => {
    const { watch, state, held, passed, write, settled } = setUp();
    const first = await watch.enter();
    state.holds = true;
    write(3);
    await settled();
    held.shift()?.();
    await settled();
    const second = await watch.enter();
    expect([first.at(), second.at(), passed]).toEqual([cursor(1), cursor(1), [1]]);
  });

  it('tells newcomers nothing that was read for those who have left', async () => {
    const { watch, state, held, passed, write, settled } = setUp();
    const early = await watch.enter();
    state.holds = true;
    write(1);
    await settled();
    early.leave();
    const late = await watch.enter();
    expect(late.at()).toBe(cursor(1));
    held.shift()?.();
    await settled();
    expect(passed).toEqual([]);
  });

  it('ends all watches with the fault when the log cannot be followed, and begins again', async () => {
    const { watch, log, closed, fail, write, passed, settled } = setUp();
    const broken = await watch.enter();
    fail();
    await settled();
    expect(closed).toMatchObject([{ code: 'INTERNAL' }]);
    const again = await watch.enter();
    broken.leave();
    write(1);
    await settled();
    expect([passed, log.starts, log.followers]).toEqual([[1], 2, 1]);
    again.leave();
    await settled();
    expect(log.followers).toBe(0);
  });
});
