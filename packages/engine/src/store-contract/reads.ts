/** What `load`, `read`, `feed` and `position` promise: order, paging, limits, and only durable state. */
import { BEGINNING } from '../cursor.js';
import type { Cursor, FeedItem } from '../store.js';
import { assert, assertEqual, type ContractCase, onStore } from './case.js';
import {
  append,
  attempt,
  bytes,
  chain,
  EVERYTHING,
  entryOf,
  following,
  headOnly,
  NOTHING_ASKED,
  seqs,
  store,
  streamRef,
} from './fixtures.js';

const a = streamRef('a');
const b = streamRef('b');

export const readCases: readonly ContractCase[] = [
  onStore('load gives heads and facts only, in order, page by page', async (s) => {
    const entries = chain(a, 1, 250);
    await store(s, append(a, entries));
    const loaded = [
      ...(await s.load(a, 0, 100)),
      ...(await s.load(a, 100, 100)),
      ...(await s.load(a, 200, 100)),
    ];
    assertEqual(loaded, entries.map(headOnly), 'heads');
    assertEqual(await s.load(a, 250, 100), [], 'the end');
    assertEqual(await s.load(a, 0, 0), [], 'a limit of 0');
    assertEqual(await s.load(streamRef('none'), 0, 10), [], 'no such stream');
  }),
  onStore('read gives whole entries, in order, page by page', async (s) => {
    const entries = chain(a, 1, 205);
    await store(s, append(a, entries));
    assertEqual(await s.read(a, 0, EVERYTHING), entries, 'all');
    assertEqual(await s.read(a, 199, { entries: 3, bytes: 1e9 }), entries.slice(199, 202), 'a page');
    assertEqual(await s.read(a, 205, EVERYTHING), [], 'the end');
    assertEqual(await s.read(streamRef('none'), 0, EVERYTHING), [], 'no such stream');
  }),
  onStore('read stops after the entry that passes the byte limit, and gives at least one', async (s) => {
    await store(
      s,
      append(
        a,
        chain(a, 1, 5, { payload: bytes(100) }).map((e) => ({ ...e, messageId: `x${e.seq}` })),
      ),
    );
    const page = async (limit: number) => seqs(await s.read(a, 0, { entries: 10, bytes: limit }));
    assertEqual(await page(0), [1], '0 bytes');
    assertEqual(await page(99), [1], '99 bytes');
    assertEqual(await page(100), [1, 2], '100 bytes are not passed by 100');
    assertEqual(await page(250), [1, 2, 3], '250 bytes');
    assertEqual(await page(1000), [1, 2, 3, 4, 5], '1000 bytes');
  }),
  onStore('the feed is in commit order over all tenants, and pages by cursor', async (s) => {
    const other = streamRef('a', 'other');
    await store(s, append(b, chain(b, 1, 1)), append(a, chain(a, 1, 1)));
    await store(s, append(other, chain(other, 1, 1)), append(b, chain(b, 2, 3)));
    const all = await s.feed(BEGINNING, 100);
    const order = await following(s, BEGINNING);
    assertEqual(order, ['default/b/1', 'default/a/1', 'other/a/1', 'default/b/2', 'default/b/3'], 'order');
    assertEqual(all[0]?.entry, headOnly(entryOf(b, 1)), 'heads and facts');
    let cursor = BEGINNING;
    const paged: FeedItem[] = [];
    for (let page = await s.feed(cursor, 2); page.length > 0; page = await s.feed(cursor, 2)) {
      paged.push(...page);
      cursor = page.at(-1)?.at ?? cursor;
    }
    assertEqual(paged, all, 'pages');
    assertEqual(await s.behind(cursor), 0, 'the end of the feed');
  }),
  onStore('a refused batch leaves no hole that a feed reader could mistake', async (s) => {
    const [end = BEGINNING] = await store(s, append(a, chain(a, 1, 1)));
    await attempt(s, append(b, chain(b, 1, 1)), append(a, chain(a, 1, 1)));
    assertEqual(await s.behind(end), 0, 'the end does not move');
    await store(s, append(a, chain(a, 2, 2)));
    assertEqual(await following(s, end), ['default/a/2'], 'what follows');
  }),
  onStore('reads that run beside commits see whole batches only', async (s) => {
    const rounds = 30;
    const size = 7;
    let writing = true;
    const write = (async () => {
      for (let i = 0; i < rounds; i++) {
        const from = i * size + 1;
        await s.commit(NOTHING_ASKED, () => [
          append(a, chain(a, from, from + size - 1)),
          append(b, chain(b, from, from + size - 1)),
        ]);
      }
      writing = false;
    })();
    let last = 0;
    /** For each position, how many entries the first read after it returned. */
    const least = new Map<Cursor, number>();
    while (writing) {
      const before = await s.position();
      const { length } = await s.feed(BEGINNING, 100_000);
      assert(length % (2 * size) === 0, `the feed shows a part of a batch: ${length}`);
      assert(length >= last, 'the feed never shrinks');
      if (!least.has(before)) least.set(before, length);
      last = length;
    }
    await write;
    for (const [before, length] of least) {
      const upTo = 2 * size * rounds - (await s.feed(before, 100_000)).length;
      assert(length >= upTo, 'the feed reaches the position that was given');
    }
    assertEqual((await s.load(b, 0, 100_000)).length, rounds * size, 'all is there');
  }),
  onStore('what a commit stored is visible to every read that starts after it', async (s) => {
    for (let seq = 1; seq <= 25; seq++) {
      const end = await s.position();
      await store(s, append(a, chain(a, seq, seq)));
      const [loaded, moved, feed] = await Promise.all([
        s.load(a, seq - 1, 1),
        s.position(),
        following(s, end),
      ]);
      assertEqual([seqs(loaded), feed], [[seq], [`default/a/${seq}`]], `after ${seq}`);
      assertEqual(await following(s, moved), [], 'the position has moved, too');
    }
  }),
];
