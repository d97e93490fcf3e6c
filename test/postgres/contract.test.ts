/** The PostgreSQL store passes the contract of the port, on a real server, with a second writer. */
import type { Store } from '@handover/engine';
import { storeContract } from '@handover/engine/store-contract';
import { describe, it } from 'vitest';
import { openPostgresStore } from '../../packages/server/src/store/postgres/index.js';
import { freshSchema } from '../kit/postgres/fresh.js';

describe('PostgreSQL store', () => {
  const urls = new WeakMap<Store, string>();
  const openAt = async (url: string) => {
    const store = await openPostgresStore({ url });
    urls.set(store, url);
    return store;
  };
  const open = async () => openAt(await freshSchema());
  const join = (store: Store) => openAt(urls.get(store) ?? '');
  const reopen = async (store: Store) => {
    await store.close();
    return join(store);
  };

  for (const { name, run } of storeContract) it(name, () => run(open, reopen, join));
});
