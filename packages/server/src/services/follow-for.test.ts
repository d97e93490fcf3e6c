import { type Cursor, cursorFrom, type Engine, type FeedItem } from '@handover/engine';
import { describe, expect, it } from 'vitest';
import { followFor } from './follow-for.js';

const item = (at: string): FeedItem => ({ at: cursorFrom(at), entry: {} as FeedItem['entry'] });
const never = new AbortController().signal;

/** A feed of pages that take longer than the caller wants to wait, and of which nothing comes after the last. */
function slowFeed(
  pages: readonly (readonly FeedItem[])[],
  behind: number,
): Pick<Engine, 'behind' | 'follow'> {
  const left = [...pages];
  let closed = () => {};
  const end = new Promise<undefined>((resolve) => {
    closed = () => resolve(undefined);
  });
  return {
    behind: async () => behind,
    follow: (after: Cursor) => ({
      cursor: after,
      next: () => end,
      stored: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return left.shift() ?? [];
      },
      close: () => closed(),
    }),
  };
}

async function places(engine: Pick<Engine, 'behind' | 'follow'>, signal = never): Promise<readonly string[]> {
  const seen: string[] = [];
  for await (const { at } of followFor(engine, cursorFrom('0'), { ms: 0, signal })) seen.push(at);
  return seen;
}

describe('following for a time', () => {
  it('gives what is stored at the call, although the time is over meanwhile', async () => {
    expect(await places(slowFeed([[item('1'), item('2')], [item('3')]], 3))).toEqual(['1', '2', '3']);
  });

  it('ends where the store counted gaps', async () => {
    expect(await places(slowFeed([[item('1')]], 5))).toEqual(['1']);
  });

  it('gives no more than was stored at the call when the time is over', async () => {
    expect(await places(slowFeed([[item('1')], [item('2')]], 1))).toEqual(['1']);
  });

  it('ends with its caller', async () => {
    const gone = new AbortController();
    gone.abort();
    expect(await places(slowFeed([[item('1')]], 1), gone.signal)).toEqual([]);
  });
});
