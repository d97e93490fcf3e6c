/** What `commit` promises: all or nothing, unique keys, dense sequences, `decide` called once and at the head. */
import { streamKey } from '@handover/core';
import { BEGINNING } from '../cursor.js';
import { type AskedMessage, type CommitOutcome, type CommitRequest, type Store, seenKey } from '../store.js';
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
  rowOf,
  seqs,
  store,
  streamRef,
} from './fixtures.js';

const a = streamRef('a');
const b = streamRef('b');

/** Everything that a reader can see, to check that nothing was stored anywhere. */
async function picture(of: Store): Promise<unknown> {
  return {
    a: await of.read(a, 0, EVERYTHING),
    b: await of.read(b, 0, EVERYTHING),
    list: await of.list({ tenant: 'default', kind: 'session', limit: 100 }),
    mine: await of.list({ tenant: 'default', kind: 'session', agent: 'x', limit: 100 }),
    feed: await of.feed(BEGINNING, 1000),
    due: await of.due({ upTo: 1e15, limit: 100 }),
    position: await of.position(),
  };
}

function refuses(name: string, attemptOn: (store: Store) => Promise<CommitOutcome>): ContractCase {
  return onStore(name, async (s) => {
    await store(s, append(a, chain(a, 1, 3)));
    const before = await picture(s);
    assertEqual((await attemptOn(s)).kind, 'conflict', 'outcome');
    assertEqual(await picture(s), before, 'nothing may be stored');
    // The refusal leaves no trace: the correct next entries still fit.
    const end = await s.position();
    await store(s, append(a, chain(a, 4, 4)), append(b, chain(b, 1, 1)));
    assertEqual(await following(s, end), ['default/a/4', 'default/b/1'], 'the store goes on');
  });
}

/** An append that is valid alone and has every side effect; the cases put it before the bad append. */
const good = () =>
  append(b, chain(b, 1, 2), { row: rowOf({ due: 5 }), involved: [{ agent: 'x', role: 'target' }] });

export const writeCases: readonly ContractCase[] = [
  onStore('a batch over several streams is stored whole, one cursor per entry in order', async (s) => {
    const at = await store(
      s,
      append(a, chain(a, 1, 2)),
      append(b, chain(b, 1, 3)),
      append(a, chain(a, 3, 3)),
    );
    const order = ['a/1', 'a/2', 'b/1', 'b/2', 'b/3', 'a/3'].map((name) => `default/${name}`);
    assertEqual(at.length, 6, 'cursors');
    for (const [i, cursor] of at.entries())
      assertEqual(await following(s, cursor), order.slice(i + 1), `after ${order[i]}`);
    assertEqual(seqs(await s.load(a, 0, 10)), [1, 2, 3], 'stream a');
    assertEqual(seqs(await s.load(b, 0, 10)), [1, 2, 3], 'stream b');
    assertEqual(await following(s, await s.position()), [], 'position() is the end');
  }),
  refuses('a used sequence is a conflict and stores nothing', (s) =>
    attempt(s, good(), append(a, [entryOf(a, 3, { messageId: 'fresh' })])),
  ),
  refuses('a used message id is a conflict and stores nothing', (s) =>
    attempt(s, good(), append(a, [entryOf(a, 4, { messageId: 'm-2' })])),
  ),
  refuses('a message id used twice within the batch is a conflict', (s) =>
    attempt(
      s,
      good(),
      append(a, [entryOf(a, 4, { messageId: 'n' })]),
      append(a, [entryOf(a, 5, { messageId: 'n' })]),
    ),
  ),
  refuses('a gap in the sequence is refused', (s) => attempt(s, good(), append(a, [entryOf(a, 5)]))),
  refuses('a new stream that does not begin at 1 is refused', (s) =>
    attempt(s, append(b, chain(b, 2, 2), { row: rowOf() })),
  ),
  refuses('a row for a stream that does not exist is refused', (s) =>
    attempt(s, append(b, [], { row: rowOf() })),
  ),
  onStore('the same message id in another stream is no conflict', async (s) => {
    await store(s, append(a, chain(a, 1, 1)));
    await store(s, append(b, chain(b, 1, 1)));
    assertEqual((await s.feed(BEGINNING, 10)).length, 2, 'both are there');
  }),
  onStore('the first append of a stream without a row is refused as an error', async (s) => {
    await rejects(s.commit(NOTHING_ASKED, () => [{ stream: a, entries: chain(a, 1, 1), involved: [] }]));
    assertEqual(await s.load(a, 0, 10), [], 'nothing is stored');
    await store(s, append(a, chain(a, 1, 1)));
  }),
  onStore('decide is called once, with nothing skipped and no tails when nobody else writes', async (s) => {
    await store(s, append(a, chain(a, 1, 2)));
    let calls = 0;
    const request: CommitRequest = {
      streams: [{ ref: a, known: entryOf(a, 2), access: 'write' }],
      messageIds: [],
    };
    await s.commit(request, ({ tails, seen, skipped }) => {
      calls++;
      assertEqual([tails.size, seen.size, skipped.size], [0, 0, 0], 'input');
      return [append(a, chain(a, 3, 3))];
    });
    assertEqual(calls, 1, 'calls of decide');
  }),
  onStore(
    'decide sees everything that was stored before, even when commits are started together',
    async (s) => {
      const order: string[] = [];
      const first = s.commit(NOTHING_ASKED, () => {
        order.push('first');
        return [append(a, chain(a, 1, 1))];
      });
      const second = s.commit(
        { streams: [], messageIds: [{ stream: a, messageId: 'm-1', ask: 'always' }] },
        ({ seen }) => {
          order.push(seen.size === 1 ? 'second sees it' : 'second is blind');
          return [append(a, chain(a, 2, 2))];
        },
      );
      assertEqual([(await first).kind, (await second).kind], ['stored', 'stored'], 'outcomes');
      assertEqual(order, ['first', 'second sees it'], 'order');
    },
  ),
  onStore('an exception inside decide rejects the commit and stores nothing', async (s) => {
    await store(s, append(a, chain(a, 1, 1)));
    const before = await picture(s);
    const thrown = new Error('decider failed');
    const commit = s.commit(NOTHING_ASKED, () => {
      throw thrown;
    });
    assert((await rejects(commit)) === thrown, 'the very error comes back');
    assertEqual(await picture(s), before, 'nothing is stored');
    await store(s, append(a, chain(a, 2, 2)));
  }),
  onStore('a commit without appends is stored, with no cursors', async (s) => {
    assertEqual(await attempt(s), { kind: 'stored', at: [] }, 'outcome');
    assertEqual(await s.behind(BEGINNING), 0, 'nothing came of it');
  }),
  onStore('seen finds entries by message id, with their salt, in their stream only', async (s) => {
    const old = entryOf(a, 2, { messageId: "it's “old” \\ %_", salt: bytes(16, 9) });
    await store(s, append(a, [entryOf(a, 1), old, entryOf(a, 3)]), append(b, chain(b, 1, 1)));
    const asked: readonly AskedMessage[] = [
      { stream: a, messageId: old.messageId, ask: 'always' },
      { stream: b, messageId: old.messageId, ask: 'always' },
      { stream: b, messageId: 'm-1', ask: 'always' },
      { stream: streamRef('none'), messageId: 'm-1', ask: 'always' },
      { stream: streamRef('a', 'other'), messageId: 'm-1', ask: 'always' },
    ];
    await s.commit({ streams: [], messageIds: asked }, ({ seen }) => {
      assertEqual(
        [...seen.keys()].sort(),
        [seenKey(streamKey(a), old.messageId), seenKey(streamKey(b), 'm-1')].sort(),
        'what is found',
      );
      const found = seen.get(seenKey(streamKey(a), old.messageId));
      assertEqual(found, { ...headOnly(old), salt: old.salt }, 'the entry');
      return [];
    });
  }),
];

async function rejects(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (thrown) {
    return thrown;
  }
  throw new Error('store contract: a rejection was expected');
}
