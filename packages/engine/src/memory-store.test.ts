import { describe, it } from 'vitest';
import { createMemoryStore } from './memory-store.js';
import { createSharedMemory, type SharedMemory } from './shared-memory.js';
import type { Store } from './store.js';
import { storeContract, withScrambledCursors } from './store-contract.js';

// The second one shows that neither the suite nor the port needs cursors to be numbers.
for (const [which, open] of [
  ['memory store', async () => createMemoryStore()],
  ['memory store with scrambled cursors', async () => withScrambledCursors(createMemoryStore())],
] as const)
  describe(which, () => {
    for (const { name, skipWithoutReopen, skipWithoutJoin, run } of storeContract) {
      const skip = skipWithoutReopen ?? skipWithoutJoin;
      if (skip) it.skip(`${name} (${skip})`);
      else it(name, () => run(open));
    }
  });

describe('memory store of several nodes', () => {
  const logs = new WeakMap<Store, SharedMemory>();
  let nodes = 0;
  const join = async (log: SharedMemory) => {
    const store = log.join(`node-${++nodes}`);
    logs.set(store, log);
    return store;
  };
  const open = () => join(createSharedMemory(Date.now));
  const joinTo = (store: Store) => join(logs.get(store) ?? createSharedMemory(Date.now));
  for (const { name, skipWithoutReopen, run } of storeContract) {
    if (skipWithoutReopen) it.skip(`${name} (${skipWithoutReopen})`);
    else it(name, () => run(open, undefined, joinTo));
  }
});
