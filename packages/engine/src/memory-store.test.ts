import { describe, it } from 'vitest';
import { createMemoryStore } from './memory-store.js';
import { storeContract } from './store-contract.js';

describe('memory store', () => {
  for (const { name, skipWithoutReopen, run } of storeContract) {
    if (skipWithoutReopen) it.skip(`${name} (${skipWithoutReopen})`);
    else it(name, () => run(async () => createMemoryStore()));
  }
});
