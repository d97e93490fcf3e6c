import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BEGINNING, type Store } from '@handover/engine';
import { append, chain, rowOf, storeAll, streamRef } from '@handover/engine/store-contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteReadOnly } from './read-only.js';
import { openSqliteStore } from './sqlite-store.js';

const a = streamRef('a');
const b = streamRef('b', 'other', 'worklog');
const EVERYTHING = { entries: 1e6, bytes: 1e12 };

describe('the read-only view', () => {
  let parent: string;
  let directory: string;
  let store: Store;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'handover-view-'));
    directory = join(parent, 'data folder?#%20');
    store = await openSqliteStore({ directory });
    await storeAll(
      store,
      append(a, chain(a, 1, 3), { row: rowOf({ due: 9 }), involved: [{ agent: 'x', role: 'r' }] }),
      append(b, chain(b, 1, 2), {
        involved: [
          { agent: 'x', role: 'q' },
          { agent: 'é', role: 'r' },
        ],
      }),
    );
  });
  afterEach(async () => {
    await store.close();
    await rm(parent, { recursive: true });
  });

  async function expectAll(path: string): Promise<void> {
    const view = await openSqliteReadOnly(path);
    expect(await view.position()).toBe(5);
    expect(await view.load(a, 0, 10)).toEqual(await store.load(a, 0, 3));
    expect(await view.read(b, 0, EVERYTHING)).toEqual(await store.read(b, 0, EVERYTHING));
    expect(await view.feed(BEGINNING, 100)).toEqual(await store.feed(BEGINNING, 5));
    expect((await view.list({ tenant: 'other', kind: 'worklog', agent: 'x', limit: 5 })).length).toBe(1);
    expect([...view.streams()]).toEqual([
      { ref: a, row: rowOf({ due: 9 }) },
      { ref: b, row: rowOf() },
    ]);
    expect([...view.involvements()]).toEqual([
      { ref: a, agent: 'x', role: 'r' },
      { ref: b, agent: 'x', role: 'q' },
      { ref: b, agent: 'é', role: 'r' },
    ]);
    await view.close();
  }

  it('works beside a running server, which goes on writing', async () => {
    await expectAll(directory);
    await storeAll(store, append(a, chain(a, 4, 4)));
  });

  it('shows one moment, whatever is written meanwhile', async () => {
    const view = await openSqliteReadOnly(directory);
    await storeAll(store, append(a, chain(a, 4, 40), { row: rowOf({ state: 'DONE' }) }));
    expect([await view.position(), (await view.load(a, 0, 100)).length]).toEqual([5, 3]);
    expect([...view.streams()][0]?.row.state).toBe('OPEN');
    await view.close();
    const later = await openSqliteReadOnly(directory);
    expect([await later.position(), (await later.load(a, 0, 100)).length]).toEqual([42, 40]);
    await later.close();
  });

  it('does not hold up a server that closes', async () => {
    const view = await openSqliteReadOnly(directory);
    const before = performance.now();
    await store.close();
    expect(performance.now() - before).toBeLessThan(3000);
    expect((await view.load(a, 0, 100)).length).toBe(3);
    await view.close();
    store = await openSqliteStore({ directory });
    expect((await store.load(a, 0, 100)).length).toBe(3);
  });

  it('works on a copy of the folder, taken while the server is idle', async () => {
    await cp(directory, join(parent, 'copy'), { recursive: true });
    await expectAll(join(parent, 'copy'));
  });

  it('works on a copy of the database file alone, once the server has closed it', async () => {
    await store.close();
    expect(await readdir(directory)).toContain('handover.db');
    await mkdir(join(parent, 'single'));
    await cp(join(directory, 'handover.db'), join(parent, 'single', 'my.db'));
    store = await openSqliteStore({ directory });
    await expectAll(join(parent, 'single', 'my.db'));
  });

  it('pages through many streams and involvements', async () => {
    const refs = Array.from({ length: 1203 }, (_, i) => streamRef(`s${String(i).padStart(5, '0')}`, 'many'));
    await storeAll(
      store,
      ...refs.map((ref) => append(ref, chain(ref, 1, 1), { involved: [{ agent: 'z', role: 'r' }] })),
    );
    const view = await openSqliteReadOnly(directory);
    expect([...view.streams()].slice(2).map(({ ref }) => ref)).toEqual(refs);
    expect([...view.involvements()].filter(({ agent }) => agent === 'z').map(({ ref }) => ref)).toEqual(refs);
    await view.close();
  });

  it('says when there is nothing to see', async () => {
    await expect(openSqliteReadOnly(join(parent, 'none'))).rejects.toMatchObject({
      code: 'DATA_LOSS',
      message: expect.stringContaining('there is no Handover data at'),
    });
  });
});
