import { describe, it } from 'vitest';
import { createMemoryStore } from './memory-store.js';
import { storeContract, withScrambledCursors } from './store-contract.js';

// The second one shows that neither the suite nor the port needs cursors to be numbers.
for (const [which, open] of [
  ['memory store', async () => createMemoryStore()],
  ['memory store with scrambled cursors', async () => withScrambledCursors(createMemoryStore())],
] as const)
  describe(which, () => {
    for (const { name, skipWithoutReopen, run } of storeContract) {
      if (skipWithoutReopen) it.skip(`${name} (${skipWithoutReopen})`);
      else it(name, () => run(open));
    }
  });
