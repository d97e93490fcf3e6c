import type { StreamRef } from '@handover/core';
import { type DueQuery, type DueStream, decimalCursor, type FeedItem } from '@handover/engine';
import { describe, expect, it } from 'vitest';
import type { OperationDependencies } from '../../services/operations/dependencies.js';
import { followRecords, scanRecords } from './follow-records.js';

const PAUSES = { firstMs: 1, maxMs: 2 };
const ref = (n: number): StreamRef<'operation'> => ({ tenant: 't', kind: 'operation', id: `op_${n}` });

function fakes(parts: object) {
  const logged: string[] = [];
  const log = { error: (event: string) => void logged.push(event) };
  const closing = new AbortController();
  const deps = { log, now: () => 0, ...parts } as unknown as OperationDependencies;
  return { options: { deps, signal: closing.signal, pauses: PAUSES }, logged, close: () => closing.abort() };
}

describe('the records that are there at the start', () => {
  it('are all found, page by page, and an error costs a pause and no record', async () => {
    const all: DueStream[] = Array.from({ length: 1_700 }, (_, n) => ({ ref: ref(n), due: n }));
    const pages: number[] = [];
    const due = async ({ limit, after }: DueQuery) => {
      const from = after ? all.findIndex(({ ref: { id } }) => id === after.ref.id) + 1 : 0;
      pages.push(from);
      if (pages.length === 3) throw new Error('a bad block');
      return all.slice(from, from + limit);
    };
    const { options, logged } = fakes({ store: { due } });
    const found: string[] = [];
    await scanRecords(options, async ({ id }) => {
      found.push(id);
      if (id === 'op_7') throw new Error('a damaged record');
    });
    expect(found).toEqual(all.map((one) => one.ref.id));
    expect(pages).toEqual([0, 500, 1_000, 1_000, 1_500, 1_700]);
    expect(logged).toEqual(['operations.unreadable', 'operations.scan']);
  });
});

describe('the feed', () => {
  /** A feed of so many entries, which cannot be read at one place for the first time. */
  const feedOf = (count: number, failsAt: number) => {
    const asked: number[] = [];
    let failed = false;
    const follow = (after: string) => {
      let at = Number(after);
      let closed = false;
      return {
        next: async (): Promise<readonly FeedItem[] | undefined> => {
          asked.push(at);
          if (at === failsAt && !failed) {
            failed = true;
            throw new Error('a bad block');
          }
          if (closed || at === count) return undefined;
          at += 1;
          return [{ at: decimalCursor(at), entry: { stream: ref(at) } as FeedItem['entry'] }];
        },
        close: () => {
          closed = true;
        },
      };
    };
    return { engine: { follow }, asked };
  };

  it('goes on where it was after an error', async () => {
    const { engine, asked } = feedOf(5, 3);
    const { options, logged } = fakes({ engine });
    const handled: string[] = [];
    await followRecords(options, decimalCursor(0), async ({ id }) => void handled.push(id));
    expect(handled).toEqual(['op_1', 'op_2', 'op_3', 'op_4', 'op_5']);
    expect(asked).toEqual([0, 1, 2, 3, 3, 4, 5]);
    expect(logged).toEqual(['operations.follow']);
  });

  it('tries an entry that cannot be handled a few times, and goes on without it', async () => {
    const { engine } = feedOf(4, -1);
    const { options, logged } = fakes({ engine });
    const handled: string[] = [];
    await followRecords(options, decimalCursor(0), async ({ id }) => {
      handled.push(id);
      if (id === 'op_2') throw new Error('a damaged record');
    });
    expect(handled).toEqual(['op_1', 'op_2', 'op_2', 'op_2', 'op_3', 'op_4']);
    expect(logged).toEqual(['operations.follow', 'operations.follow', 'operations.skipped']);
  });
});
