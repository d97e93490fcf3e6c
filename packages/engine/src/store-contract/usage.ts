/** What `usage` promises: the exact sum of the stored payloads, by actor and by tenant. */
import { assert, assertEqual, type ContractCase, onStore } from './case.js';
import { append, attempt, bytes, chain, entryOf, store, streamRef } from './fixtures.js';

const a = streamRef('a');
const of = (length: number, actor: string) => ({ payload: bytes(length), actor });

export const usageCases: readonly ContractCase[] = [
  onStore('usage is the sum of payloads of an actor, and of all of a tenant', async (s) => {
    const b = streamRef('b');
    const other = streamRef('a', 'other');
    assertEqual(await s.usage({ tenant: 'default', actor: 'ann' }), 0, 'before anything');
    await store(
      s,
      append(a, [entryOf(a, 1, of(100, 'ann')), entryOf(a, 2, of(30, 'bob')), entryOf(a, 3, of(0, 'cid'))]),
      append(b, [entryOf(b, 1, of(7, 'ann'))]),
      append(other, [entryOf(other, 1, of(1_000, 'ann'))]),
    );
    await store(s, append(b, [entryOf(b, 2, of(5, 'ann'))]));
    const usage = (tenant: string, actor?: string) =>
      s.usage({ tenant, ...(actor !== undefined && { actor }) });
    assertEqual(await usage('default', 'ann'), 112, 'ann');
    assertEqual(await usage('default', 'bob'), 30, 'bob');
    assertEqual(await usage('default', 'cid'), 0, 'who stored nothing');
    assertEqual(await usage('default', 'nobody'), 0, 'nobody');
    assertEqual(await usage('default'), 142, 'the tenant');
    assertEqual(await usage('other', 'ann'), 1_000, 'the same name elsewhere');
    assertEqual(await usage('nowhere'), 0, 'no such tenant');
  }),
  onStore('usage counts what was stored, not what was refused, and misses nothing in between', async (s) => {
    const usage = () => s.usage({ tenant: 'default', actor: 'ann' });
    await store(s, append(a, [entryOf(a, 1, of(10, 'ann'))]));
    assertEqual(await usage(), 10, 'asked once');
    const gap = await attempt(s, append(a, [entryOf(a, 3, of(1_000, 'ann'))]));
    assert(gap.kind === 'conflict', 'a gap is refused');
    const used = await attempt(s, append(a, [entryOf(a, 2, { ...of(500, 'ann'), messageId: 'm-1' })]));
    assert(used.kind === 'conflict', 'a used message id is refused');
    assertEqual(await usage(), 10, 'after refusals');
    // Questions and commits that run into one another.
    const asked: Promise<number>[] = [];
    const commits: Promise<unknown>[] = [];
    for (let seq = 2; seq <= 20; seq++) {
      asked.push(s.usage({ tenant: 'default', actor: `first asked ${seq}` }), usage());
      commits.push(store(s, append(a, [entryOf(a, seq, of(10, 'ann'))])), s.usage({ tenant: 'default' }));
    }
    await Promise.all(commits);
    for (const seen of await Promise.all(asked)) assert(seen % 10 === 0 && seen <= 200, `saw ${seen}`);
    assertEqual(await usage(), 200, 'in the end');
    assertEqual(await s.usage({ tenant: 'default' }), 200, 'of the tenant in the end');
  }),
  onStore('usage knows names apart, whatever they hold', async (s) => {
    const names = ['a', 'a\nb', 'ä', '😀', 'all of a', '1 a'];
    for (const [i, tenant] of names.entries())
      for (const [j, actor] of names.entries()) {
        const ref = streamRef(`s${j}`, tenant);
        await store(s, append(ref, [entryOf(ref, 1, of(10 * i + j + 1, actor))]));
      }
    for (const [i, tenant] of names.entries())
      for (const [j, actor] of names.entries())
        assertEqual(await s.usage({ tenant, actor }), 10 * i + j + 1, `${tenant} ${actor}`);
  }),
  {
    name: 'usage is the same after a reopen',
    skipWithoutReopen: 'this store lasts as long as its process',
    async run(open, reopen) {
      assert(reopen !== undefined, 'reopen is given');
      const first = await open();
      await store(first, append(a, chain(a, 1, 50, of(11, 'ann'))));
      const second = await reopen(first);
      try {
        assertEqual(await second.usage({ tenant: 'default', actor: 'ann' }), 550, 'ann');
        await store(second, append(a, chain(a, 51, 52, of(11, 'ann'))));
        assertEqual(await second.usage({ tenant: 'default', actor: 'ann' }), 572, 'and goes on');
      } finally {
        await second.close();
      }
    },
  },
];
