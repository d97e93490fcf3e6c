/** Stored entries survive a restart; refused entries do not appear. */
import { BEGINNING } from '../cursor.js';
import { assert, assertEqual, type ContractCase, onStore } from './case.js';
import { append, attempt, chain, EVERYTHING, following, rowOf, store, streamRef } from './fixtures.js';

const a = streamRef('a');

export const durabilityCases: readonly ContractCase[] = [
  {
    name: 'everything stored is there after a reopen, and the log goes on where it ended',
    skipWithoutReopen: 'this store lasts as long as its process',
    async run(open, reopen) {
      assert(reopen !== undefined, 'this case needs reopen');
      const first = await open();
      const entries = chain(a, 1, 10);
      await store(
        first,
        append(a, entries, { row: rowOf({ due: 7 }), involved: [{ agent: 'x', role: 'r' }] }),
      );
      await attempt(first, append(a, chain(a, 10, 10)));
      const second = await reopen(first);
      try {
        assertEqual(await second.read(a, 0, EVERYTHING), entries, 'entries');
        const listed = await second.list({ tenant: 'default', kind: 'session', agent: 'x', limit: 10 });
        assertEqual(listed, [{ ref: a, row: rowOf({ due: 7 }) }], 'row and involvement');
        assertEqual(await second.due({ upTo: 7, limit: 10 }), [{ ref: a, due: 7 }], 'due');
        const end = await second.position();
        assertEqual((await following(second, BEGINNING)).length, 10, 'the feed');
        assertEqual((await attempt(second, append(a, chain(a, 10, 10)))).kind, 'conflict', 'a used sequence');
        await store(second, append(a, chain(a, 11, 11)));
        assertEqual(await following(second, end), ['default/a/11'], 'what comes next');
      } finally {
        await second.close();
      }
    },
  },
  {
    name: 'a closed store answers nothing, and closing twice is harmless',
    async run(open) {
      const s = await open();
      await store(s, append(a, chain(a, 1, 1)));
      await s.close();
      await s.close();
      let refused = 0;
      const calls = [() => s.load(a, 0, 1), () => attempt(s, append(a, chain(a, 2, 2))), () => s.position()];
      for (const call of calls) await call().catch(() => refused++);
      assertEqual(refused, calls.length, 'refused calls');
    },
  },
  onStore('close waits for the commit under way', async (s) => {
    const commit = attempt(s, append(a, chain(a, 1, 1)));
    await Promise.all([commit, s.close()]);
    assertEqual((await commit).kind, 'stored', 'outcome');
  }),
];
