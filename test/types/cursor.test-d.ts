/**
 * What must not compile with a place in the feed. `tsc -p test` checks this file: an expected error that does not occur
 * is itself an error. Nothing here runs.
 *
 * Two values of one type may always be compared with `<` in TypeScript. That nobody does is shown by tests that run on
 * `withScrambledCursors`, whose cursors have no order.
 */
import { BEGINNING, type Cursor, cursorFrom, type Engine, type Store } from '@handover/engine';

declare const cursor: Cursor;
declare const engine: Engine;
declare const store: Store;

export async function rightUsesCompile(): Promise<unknown> {
  const follower = engine.follow(cursor);
  const items = await store.feed(BEGINNING, 10);
  const kept: string = items.at(-1)?.at ?? follower.cursor;
  return [await engine.locate(cursorFrom(kept)), (await engine.behind(cursor)) > 5_000];
}

export function notANumber(): readonly unknown[] {
  return [
    // @ts-expect-error A cursor is not before or after a number.
    cursor < 5,
    // @ts-expect-error The same the other way round.
    5 >= cursor,
    // @ts-expect-error Cursors have no distance: ask `behind`.
    cursor - cursor,
    // @ts-expect-error There is no later and earlier of two.
    Math.max(cursor, cursor),
    // @ts-expect-error A cursor is no number to be equal to.
    cursor === 0,
  ];
}

export function notToBeMadeUp(): readonly unknown[] {
  // @ts-expect-error What comes of adding is not a cursor.
  const next: Cursor = cursor + 1;
  // @ts-expect-error Nor is what comes of joining.
  const joined: Cursor = cursor + cursor;
  // @ts-expect-error A number is not one.
  const position: Cursor = 5;
  // @ts-expect-error Nor is any text.
  const text: Cursor = '5';
  return [next, joined, position, text];
}

export function notToBePassed(): readonly unknown[] {
  return [
    // @ts-expect-error To a follower.
    engine.follow(0),
    // @ts-expect-error To the feed.
    store.feed(0, 10),
    // @ts-expect-error To the feed, as text.
    store.feed('0', 10),
    // @ts-expect-error To `behind`.
    store.behind(3),
    // @ts-expect-error To a list.
    engine.list({ tenant: 't', kind: 'session', limit: 1, createdUpTo: 7 }),
  ];
}
