/** What cursors promise (S8, S9). The cases locate a cursor by the entries that follow it, never by its text. */
import { BEGINNING, cursorFrom, isUnreadableCursor } from '../cursor.js';
import type { Store } from '../store.js';
import { assert, assertEqual, type ContractCase, onStore } from './case.js';
import { append, chain, following, ids, store, streamRef } from './fixtures.js';

const a = streamRef('a');
const b = streamRef('b');
const query = { tenant: 'default', kind: 'session', limit: 100 } as const;

export const cursorCases: readonly ContractCase[] = [
  onStore('the beginning stands before everything, and is the end of an empty store', async (s) => {
    assertEqual(await following(s, BEGINNING), [], 'nothing follows');
    assertEqual([await s.behind(BEGINNING), await s.behind(await s.position())], [0, 0], 'behind');
    const end = await s.position();
    await store(s, append(a, chain(a, 1, 2)));
    for (const cursor of [BEGINNING, end])
      assertEqual(await following(s, cursor), ['default/a/1', 'default/a/2'], 'all follow');
  }),
  onStore('the feed gives each entry the place that the commit gave it', async (s) => {
    const at = [
      ...(await store(s, append(a, chain(a, 1, 2)), append(b, chain(b, 1, 1)))),
      ...(await store(s, append(b, chain(b, 2, 4)))),
    ];
    const items = await s.feed(BEGINNING, 100);
    for (const [i, { at: cursor }] of items.entries()) {
      const rest = await following(s, cursor);
      assertEqual(rest.length, items.length - i - 1, `what follows item ${i}`);
      if (at[i] !== undefined) assertEqual(await following(s, at[i]), rest, `the commit's cursor ${i}`);
    }
  }),
  onStore('behind says at least how many follow, and 0 only at the end', async (s) => {
    await store(s, append(a, chain(a, 1, 30)));
    await store(s, append(b, chain(b, 1, 7)));
    let before = await s.behind(BEGINNING);
    assert(before >= 37, 'all are counted');
    for (const [i, { at }] of (await s.feed(BEGINNING, 100)).entries()) {
      const behind = await s.behind(at);
      assert(i === 36 ? behind === 0 : behind >= 36 - i, `behind item ${i}: ${behind}`);
      assert(behind <= before, 'it never grows along the feed');
      before = behind;
    }
    const end = await s.position();
    await store(s, append(a, chain(a, 31, 31)));
    assert((await s.behind(end)) >= 1, 'what comes later is counted');
  }),
  {
    name: 'a cursor past the end counts as the end',
    async run(open) {
      const [short, long] = [await open(), await open()];
      try {
        await store(short, append(a, chain(a, 1, 3)));
        await store(long, append(a, chain(a, 1, 400)));
        const past = await long.position();
        assertEqual(await following(short, past), [], 'nothing follows');
        assertEqual(await short.behind(past), 0, 'behind');
        assertEqual(ids(await short.list({ ...query, createdUpTo: past })), ['a'], 'everything is listed');
      } finally {
        await Promise.all([short.close(), long.close()]);
      }
    },
  },
  onStore('a cursor may be kept as text', async (s) => {
    const [, second = BEGINNING] = await store(s, append(a, chain(a, 1, 3)));
    const kept = JSON.parse(JSON.stringify({ cursor: second })) as { readonly cursor: string };
    assertEqual(await following(s, cursorFrom(kept.cursor)), ['default/a/3'], 'what follows');
  }),
  {
    name: 'a cursor stands where it stood after a reopen',
    skipWithoutReopen: 'this store lasts as long as its process',
    async run(open, reopen) {
      assert(reopen !== undefined, 'this case needs reopen');
      const first = await open();
      const [, second = BEGINNING] = await store(first, append(a, chain(a, 1, 3)));
      const again = await reopen(first);
      try {
        assertEqual(await following(again, second), ['default/a/3'], 'what follows');
      } finally {
        await again.close();
      }
    },
  },
  onStore('a cursor that the store cannot read is refused, and harms nothing', async (s) => {
    await store(s, append(a, chain(a, 1, 1)));
    for (const text of ['not a cursor of any store', '-1', ' ', '\u0000', '9'.repeat(400)]) {
      const cursor = cursorFrom(text);
      const calls = [() => s.feed(cursor, 1), () => s.behind(cursor), () => createdUpTo(s, text)];
      for (const call of calls)
        assert(isUnreadableCursor(await call().catch((thrown: unknown) => thrown)), `${text} is refused`);
    }
    assertEqual(await following(s, BEGINNING), ['default/a/1'], 'the store goes on');
  }),
];

function createdUpTo(s: Store, text: string): Promise<unknown> {
  return s.list({ ...query, createdUpTo: cursorFrom(text) });
}
