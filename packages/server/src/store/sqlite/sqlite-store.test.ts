import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@handover/engine';
import { storeContract } from '@handover/engine/store-contract';
import { afterAll, describe, it } from 'vitest';
import { openSqliteStore } from './sqlite-store.js';

describe('SQLite store', () => {
  const folders = new WeakMap<Store, string>();
  const made: string[] = [];
  const openIn = async (directory: string) => {
    const store = await openSqliteStore({ directory, diskFloorBytes: 0 });
    folders.set(store, directory);
    return store;
  };
  const open = async () => {
    const directory = await mkdtemp(join(tmpdir(), 'handover-store-'));
    made.push(directory);
    return openIn(directory);
  };
  const reopen = async (store: Store) => {
    await store.close();
    return openIn(folders.get(store) ?? '');
  };
  afterAll(() => Promise.all(made.map((directory) => rm(directory, { recursive: true }))));

  for (const { name, skipWithoutJoin, run } of storeContract) {
    if (skipWithoutJoin) it.skip(`${name} (${skipWithoutJoin})`);
    else it(name, () => run(open, reopen));
  }
});
