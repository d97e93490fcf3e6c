/** Values come back exactly as they went in: odd names, binary payloads, the facts' own text. */
import { BEGINNING } from '../cursor.js';
import { assertEqual, type ContractCase, onStore } from './case.js';
import { append, bytes, chain, EVERYTHING, entryOf, headOnly, rowOf, store, streamRef } from './fixtures.js';

const ODD_NAMES = [
  "O'Brien; DROP TABLE entries; --",
  '"double" `back` [brackets]',
  'per%cent_under\\score?',
  'Ünïcödé 漢字 😀 \u200d \u{10ffff}',
  'spawn:<script>&amp;',
  `${'x'.repeat(250)}é😀`,
  ' leading and trailing ',
];

export const fidelityCases: readonly ContractCase[] = [
  onStore('ids, tenants, agents and message ids may hold quotes, unicode and 256 bytes', async (s) => {
    for (const name of ODD_NAMES) {
      const ref = streamRef(name, name);
      const entries = [entryOf(ref, 1, { messageId: name, actor: name, type: name })];
      await store(
        s,
        append(ref, entries, {
          row: rowOf({ summary: name, state: name }),
          involved: [{ agent: name, role: name }],
        }),
      );
    }
    for (const name of ODD_NAMES) {
      const ref = streamRef(name, name);
      const [entry] = await s.read(ref, 0, EVERYTHING);
      assertEqual(entry, entryOf(ref, 1, { messageId: name, actor: name, type: name }), name);
      const scope = { tenant: name, kind: 'session', agent: name, role: name } as const;
      const found = await s.list({ ...scope, limit: 10 });
      assertEqual(
        found.map((item) => [item.ref, item.row.summary]),
        [[ref, name]],
        `list ${name}`,
      );
      assertEqual(await s.count({ ...scope, state: name }), 1, `count ${name}`);
      await s.commit(
        { streams: [], messageIds: [{ stream: ref, messageId: name, ask: 'always' }] },
        ({ seen }) => {
          assertEqual(seen.size, 1, `seen ${name}`);
          return [];
        },
      );
    }
    assertEqual(
      (await s.feed(BEGINNING, 100)).map(({ entry }) => entry.stream.id),
      ODD_NAMES,
      'feed',
    );
  }),
  onStore('payloads of 0 bytes, every byte value and 1 MiB come back unchanged', async (s) => {
    const ref = streamRef('a');
    const payloads = [
      new Uint8Array(0),
      Uint8Array.from({ length: 256 }, (_, i) => i),
      bytes(1024 * 1024),
      bytes(1),
    ];
    const entries = payloads.map((payload, i) =>
      entryOf(ref, i + 1, { payload, salt: bytes(i === 0 ? 0 : 16) }),
    );
    await store(s, append(ref, entries));
    assertEqual(await s.read(ref, 0, EVERYTHING), entries, 'together');
    for (const entry of entries)
      assertEqual(await s.read(ref, entry.seq - 1, { entries: 1, bytes: 0 }), [entry], `entry ${entry.seq}`);
    assertEqual(await s.load(ref, 0, 10), entries.map(headOnly), 'load');
  }),
  onStore('a view into a larger buffer stores its own bytes only', async (s) => {
    const ref = streamRef('a');
    const whole = bytes(1000);
    const entries = [entryOf(ref, 1, { payload: whole.subarray(10, 20), salt: whole.subarray(100, 116) })];
    await store(s, append(ref, entries));
    assertEqual(await s.read(ref, 0, EVERYTHING), entries, 'entry');
  }),
  onStore('the text of the facts comes back byte for byte, and parsed', async (s) => {
    const ref = streamRef('a');
    const texts = [
      '{}',
      '{"a":"\\u0000\\u001f","b":"é😀","c":[1,2,{"d":null}]}',
      '{"z":1,"a":2}',
      '{"n":9007199254740991,"m":-1}',
      `{"long":"${'é'.repeat(40_000)}"}`,
    ];
    const entries = texts.map((factsText, i) =>
      entryOf(ref, i + 1, { factsText, facts: JSON.parse(factsText) }),
    );
    await store(s, append(ref, entries));
    assertEqual(await s.load(ref, 0, 10), entries.map(headOnly), 'load');
    assertEqual(
      (await s.feed(BEGINNING, 10)).map((item) => item.entry),
      entries.map(headOnly),
      'feed',
    );
  }),
  onStore('numbers keep their value up to the largest safe integer', async (s) => {
    const ref = streamRef('a');
    const big = Number.MAX_SAFE_INTEGER;
    const entries = [entryOf(ref, 1, { at: 0, v: 0 }), entryOf(ref, 2, { at: big, v: 2 ** 31 })];
    const row = rowOf({ due: big, createdAt: big });
    await store(s, append(ref, entries, { row }));
    assertEqual(await s.load(ref, 0, 10), entries.map(headOnly), 'entries');
    assertEqual((await s.list({ tenant: 'default', kind: 'session', limit: 1 }))[0]?.row, row, 'row');
    assertEqual(await s.due({ upTo: big, limit: 1 }), [{ ref, due: big }], 'due');
  }),
  onStore('one batch may be large: 2,000 entries in 500 streams', async (s) => {
    const refs = Array.from({ length: 500 }, (_, i) => streamRef(`s-${i}`));
    const at = await store(s, ...refs.map((ref) => append(ref, chain(ref, 1, 4))));
    assertEqual([at.length, await s.behind(at.at(-1) ?? BEGINNING)], [2000, 0], 'cursors');
    assertEqual((await s.list({ tenant: 'default', kind: 'session', limit: 1000 })).length, 500, 'streams');
    assertEqual((await s.feed(BEGINNING, 5000)).length, 2000, 'feed');
  }),
];
