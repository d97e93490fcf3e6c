/** What `list`, `count` and `due` promise. They read the two tables beside the log: rows and involvements. */
import { BEGINNING } from '../cursor.js';
import type { DueStream } from '../store.js';
import { assertEqual, type ContractCase, onStore } from './case.js';
import { append, chain, ids, rowOf, store, streamRef } from './fixtures.js';

const query = { tenant: 'default', kind: 'session', limit: 100 } as const;

/** In bytewise order: case matters, and U+FF5E stands before an emoji although its UTF-16 unit is greater. */
const ORDERED = ['A', 'Z', 'a', 'aa', 'b', 'z', '~', 'Ä', 'é', 'ß', 'ÿ', 'Ω', '～', '😀', '😀b'].sort(
  (x, y) => compareCodePoints(x, y),
);

function compareCodePoints(x: string, y: string): number {
  const xs = Array.from(x, (c) => c.codePointAt(0) ?? 0);
  const ys = Array.from(y, (c) => c.codePointAt(0) ?? 0);
  for (let i = 0; i < Math.min(xs.length, ys.length); i++)
    if (xs[i] !== ys[i]) return (xs[i] ?? 0) - (ys[i] ?? 0);
  return xs.length - ys.length;
}

const created = (id: string, tenant = 'default', more = {}) => {
  const ref = streamRef(id, tenant);
  return append(ref, chain(ref, 1, 1), more);
};

export const listCases: readonly ContractCase[] = [
  onStore('list is by id, bytewise, and pages by the last id', async (s) => {
    for (const id of [...ORDERED].reverse()) await store(s, created(id));
    assertEqual(ids(await s.list(query)), ORDERED, 'order');
    const paged: string[] = [];
    let page = ids(await s.list({ ...query, limit: 2 }));
    while (page.length > 0) {
      paged.push(...page);
      page = ids(await s.list({ ...query, limit: 2, afterId: paged.at(-1) ?? '' }));
    }
    assertEqual(paged, ORDERED, 'pages');
    assertEqual(
      ids(await s.list({ ...query, afterId: 'aaa' })),
      ORDERED.slice(ORDERED.indexOf('b')),
      'an absent id',
    );
  }),
  onStore('list by agent shows each stream once, by role only that role', async (s) => {
    const both = [
      { agent: 'ann', role: 'initiator' },
      { agent: 'ann', role: 'target' },
    ];
    await store(s, created('s1', 'default', { involved: both }));
    await store(s, created('s2', 'default', { involved: [{ agent: 'ann', role: 'target' }] }));
    await store(s, created('s3', 'default', { involved: [{ agent: 'bob', role: 'initiator' }] }));
    await store(s, created('s4', 'default', { involved: [{ agent: 'ann', role: 'initiator' }] }));
    const of = async (more: object) => ids(await s.list({ ...query, ...more }));
    assertEqual(await of({ agent: 'ann' }), ['s1', 's2', 's4'], 'ann');
    assertEqual(await of({ agent: 'ann', limit: 2 }), ['s1', 's2'], 'ann, two');
    assertEqual(await of({ agent: 'ann', afterId: 's1' }), ['s2', 's4'], 'ann after s1');
    assertEqual(await of({ agent: 'ann', role: 'initiator' }), ['s1', 's4'], 'ann as initiator');
    assertEqual(await of({ agent: 'Ann' }), [], 'case matters');
    assertEqual(await of({ agent: 'an' }), [], 'no prefix matches');
    assertEqual(await of({ agent: 'bob', role: 'target' }), [], 'bob as target');
    assertEqual(await of({}), ['s1', 's2', 's3', 's4'], 'all');
  }),
  onStore('list of the newest: by creation, in pages, of one role and one beginning of ids', async (s) => {
    const involved = [{ agent: 'ann', role: 'creator' }];
    for (const id of ['op_5', 'bd_1', 'op_1', 'op_9', 'op_3'])
      await store(s, created(id, 'default', { involved }));
    await store(s, created('op_0', 'default', { involved: [{ agent: 'bob', role: 'creator' }] }));
    await store(s, created('op_2', 'default', { involved: [{ agent: 'ann', role: 'reader' }] }));
    const newest = { ...query, agent: 'ann', role: 'creator', newestFirst: { idPrefix: 'op_' } };
    const of = async (more: object) => ids(await s.list({ ...newest, ...more }));
    assertEqual(await of({}), ['op_3', 'op_9', 'op_1', 'op_5'], 'all');
    assertEqual(await of({ limit: 2 }), ['op_3', 'op_9'], 'first page');
    assertEqual(await of({ limit: 2, afterId: 'op_9' }), ['op_1', 'op_5'], 'second page');
    assertEqual(await of({ afterId: 'op_5' }), [], 'behind the oldest');
    assertEqual(await of({ afterId: 'op_7' }), [], 'behind one that is not there');
    assertEqual(
      await of({ newestFirst: { idPrefix: '' }, limit: 4 }),
      ['op_3', 'op_9', 'op_1', 'bd_1'],
      'any id',
    );
    // A later entry does not make a stream newer.
    const old = streamRef('op_5');
    await store(s, append(old, chain(old, 2, 2)));
    assertEqual(await of({ limit: 1 }), ['op_3'], 'after another entry');
  }),
  onStore('list shows only streams created up to a cursor', async (s) => {
    await store(s, created('c'));
    const second = created('a', 'default', { involved: [{ agent: 'x', role: 'r' }] });
    const [upTo = BEGINNING] = await store(s, second);
    await store(s, created('b', 'default', { involved: [{ agent: 'x', role: 'r' }] }));
    const c = streamRef('c');
    await store(s, append(c, chain(c, 2, 2)));
    assertEqual(ids(await s.list({ ...query, createdUpTo: upTo })), ['a', 'c'], 'all');
    assertEqual(ids(await s.list({ ...query, agent: 'x', createdUpTo: upTo })), ['a'], 'by agent');
    assertEqual(await s.list({ ...query, createdUpTo: BEGINNING }), [], 'none');
  }),
  onStore('a row is rewritten only by an append that carries one', async (s) => {
    const ref = streamRef('a');
    const first = rowOf({ state: 'OPEN', due: 10, summary: '{"v":1}' });
    const next = rowOf({ state: 'RESOLVED', due: null, summary: '{"v":2}' });
    const rows = async () => (await s.list(query)).map((item) => item.row);
    await store(s, append(ref, chain(ref, 1, 1), { row: first }));
    await store(s, append(ref, chain(ref, 2, 2)));
    assertEqual(await rows(), [first], 'unchanged');
    await store(
      s,
      append(ref, chain(ref, 3, 3), { row: rowOf() }),
      append(ref, chain(ref, 4, 4), { row: next }),
    );
    assertEqual(await rows(), [next], 'the last of the batch wins');
    await store(s, append(ref, [], { row: first }));
    assertEqual([await rows(), (await s.load(ref, 0, 10)).length], [[first], 4], 'a row alone');
  }),
  onStore('repeating an involvement is harmless', async (s) => {
    const ref = streamRef('a');
    const ann = { agent: 'ann', role: 'target' };
    await store(s, append(ref, chain(ref, 1, 1), { involved: [ann, ann] }));
    await store(s, append(ref, chain(ref, 2, 2), { involved: [ann, { agent: 'bob', role: 'target' }] }));
    assertEqual(ids(await s.list({ ...query, agent: 'ann' })), ['a'], 'ann');
    assertEqual(await s.count({ ...query, agent: 'ann', role: 'target', state: 'OPEN' }), 1, 'count');
    assertEqual(ids(await s.list({ ...query, agent: 'bob' })), ['a'], 'bob');
  }),
  onStore('count counts by agent, role and state', async (s) => {
    const involved = [{ agent: 'ann', role: 'initiator' }];
    for (const id of ['a', 'b', 'c']) await store(s, created(id, 'default', { involved }));
    await store(s, created('d', 'default', { involved: [{ agent: 'ann', role: 'target' }] }));
    const b = streamRef('b');
    await store(s, append(b, chain(b, 2, 2), { row: rowOf({ state: 'EXPIRED' }) }));
    const of = (more: object) =>
      s.count({
        tenant: 'default',
        kind: 'session',
        agent: 'ann',
        role: 'initiator',
        state: 'OPEN',
        ...more,
      });
    assertEqual(await of({}), 2, 'open');
    assertEqual(await of({ state: 'EXPIRED' }), 1, 'expired');
    assertEqual(await of({ role: 'target' }), 1, 'as target');
    assertEqual(await of({ agent: 'bob' }), 0, 'another agent');
    assertEqual(await of({ kind: 'worklog' }), 0, 'another kind');
  }),
  onStore('tenants and kinds do not see each other, even with the same id', async (s) => {
    const involved = [{ agent: 'ann', role: 'initiator' }];
    const refs = [streamRef('x', 't1'), streamRef('x', 't2'), streamRef('x', 't1', 'worklog')];
    const rows = refs.map((_ref, i) => rowOf({ summary: `{"i":${i}}` }));
    for (const [i, ref] of refs.entries())
      await store(s, append(ref, chain(ref, 1, i + 1), { row: rows[i] ?? rowOf(), involved }));
    for (const [i, ref] of refs.entries()) {
      const scope = { tenant: ref.tenant, kind: ref.kind };
      assertEqual((await s.load(ref, 0, 10)).length, i + 1, `load ${i}`);
      assertEqual((await s.read(ref, 0, { entries: 10, bytes: 1e9 })).length, i + 1, `read ${i}`);
      for (const more of [{}, { agent: 'ann' }, { agent: 'ann', role: 'initiator' }]) {
        const found = await s.list({ ...scope, ...more, limit: 10 });
        assertEqual(
          found.map((item) => [item.ref, item.row]),
          [[ref, rows[i]]],
          `list ${i}`,
        );
      }
      assertEqual(
        await s.count({ ...scope, agent: 'ann', role: 'initiator', state: 'OPEN' }),
        1,
        `count ${i}`,
      );
    }
    assertEqual(await s.list({ tenant: 't3', kind: 'session', limit: 10 }), [], 'an unknown tenant');
  }),
  onStore('due is earliest first over all tenants, up to a time', async (s) => {
    const at = { a: 30, b: 10, c: null, d: 20, e: 40 };
    for (const [id, due] of Object.entries(at))
      await store(s, created(id, id === 'd' ? 'other' : 'default', { row: rowOf({ due }) }));
    const dues = async (upTo: number, limit = 10) =>
      (await s.due({ upTo, limit })).map(({ ref, due }) => `${ref.tenant}/${ref.id}@${due}`);
    assertEqual(await dues(30), ['default/b@10', 'other/d@20', 'default/a@30'], 'up to and including');
    assertEqual(await dues(1e15, 1), ['default/b@10'], 'limit');
    assertEqual(await dues(9), [], 'none');
    assertEqual(
      (await s.due({ upTo: 30, limit: 10, kind: 'session' })).length,
      3,
      'of the kind that is there',
    );
    assertEqual(await s.due({ upTo: 30, limit: 10, kind: 'operation' }), [], 'of a kind that is not');
    const b = streamRef('b');
    await store(s, append(b, chain(b, 2, 2), { row: rowOf({ due: null }) }));
    await store(s, append(streamRef('a'), chain(streamRef('a'), 2, 2), { row: rowOf({ due: 5 }) }));
    assertEqual(await dues(1e15), ['default/a@5', 'other/d@20', 'default/e@40'], 'after rewriting');
  }),
  onStore('due is paged without gap or repetition, also among streams of one time', async (s) => {
    for (const id of ['e', 'b', 'd', 'a', 'c'])
      await store(s, created(id, 'default', { row: rowOf({ due: id === 'a' ? 1 : 7 }) }));
    const paged: string[] = [];
    let after: DueStream | undefined;
    do {
      const page: readonly DueStream[] = await s.due({ upTo: 7, limit: 2, ...(after && { after }) });
      paged.push(...page.map(({ ref }) => ref.id));
      after = page.at(-1);
    } while (after && paged.length < 10);
    assertEqual(paged, ['a', 'e', 'b', 'd', 'c'], 'in order of creation');
    const e = { ref: streamRef('e'), due: 7 };
    await store(s, append(e.ref, chain(e.ref, 2, 2), { row: rowOf({ due: 9 }) }));
    const rest = await s.due({ upTo: 7, limit: 10, after: e });
    assertEqual(
      rest.map(({ ref }) => ref.id),
      ['b', 'd', 'c'],
      'after one that has another time by now',
    );
  }),
];
