/** What holds between two writers of the same data. */
import { type Entry, StreamKind, type StreamRef, streamKey } from '@handover/core';
import { BEGINNING } from '../cursor.js';
import type { MovedStream } from '../shared-store.js';
import {
  type CommitInput,
  type CommitOutcome,
  type Cursor,
  type Store,
  type StreamAppend,
  seenKey,
} from '../store.js';
import { assert, assertEqual, type ContractCase, onTwo } from './case.js';
import {
  append,
  attempt,
  bytes,
  chain,
  EVERYTHING,
  entryOf,
  ids,
  NOTHING_ASKED,
  seqs,
  store,
  streamRef,
} from './fixtures.js';

const a = streamRef('a');
const b = streamRef('b');
const NEW = { seq: 0, at: 0, hash: '0'.repeat(64) };
const ROUNDS = 200;

/** So many turns something may take that needs another writer to come to its end. */
const TURNS = 4_000;

/** A node that keeps what it knows, as the engine does. */
class Node {
  readonly #store: Store;
  readonly #name: string;
  readonly #heads = new Map<string, number>();
  #count = 0;

  constructor(of: Store, name: string) {
    this.#store = of;
    this.#name = name;
  }

  /** Appends one entry to each of these streams that nobody else holds; true: to all of them. */
  async appendTo(...refs: readonly StreamRef[]): Promise<boolean> {
    let appended: readonly StreamAppend[] = [];
    const next = new Map<string, number>();
    const decide = ({ tails, skipped }: CommitInput): readonly StreamAppend[] => {
      next.clear();
      appended = refs.flatMap((ref) => {
        const key = streamKey(ref);
        if (skipped.has(key)) return [];
        const head = tails.get(key)?.at(-1)?.seq ?? this.#heads.get(key) ?? 0;
        next.set(key, head + 1);
        return [append(ref, [entryOf(ref, head + 1, { messageId: `${this.#name}-${++this.#count}` })])];
      });
      return appended;
    };
    const streams = refs.map((ref) => ({
      ref,
      known: { ...NEW, seq: this.#heads.get(streamKey(ref)) ?? 0 },
      access: 'write' as const,
    }));
    const outcome = await this.#store.commit({ streams, messageIds: [] }, decide);
    if (outcome.kind !== 'stored') {
      assert(outcome.kind === 'conflict', `expected stored or conflict, got ${JSON.stringify(outcome)}`);
      return false;
    }
    for (const [key, seq] of next) this.#heads.set(key, seq);
    return appended.length === refs.length;
  }

  async untilAppendedTo(...refs: readonly StreamRef[]): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) if (await this.appendTo(...refs)) return;
    throw new Error('store contract: the other writer held the streams for ever');
  }
}

export const twoWriterCases: readonly ContractCase[] = [
  onTwo(
    'what one stores the other reads at once, in streams, lists and beside the log',
    async (one, other) => {
      const involved = [{ agent: 'ann', role: 'target' }];
      await store(one, append(a, chain(a, 1, 3), { involved }));
      assertEqual(seqs(await other.load(a, 0, 10)), [1, 2, 3], 'heads');
      assertEqual((await other.read(a, 0, EVERYTHING)).length, 3, 'entries');
      const mine = { tenant: 'default', kind: StreamKind.Session, agent: 'ann', limit: 10 } as const;
      assertEqual(ids(await other.list(mine)), ['a'], 'list');
      const of = { stream: a, hash: 'ab', rights: 'view', expiresAt: 9, revoked: false, sealed: bytes(3) };
      await one.credentials.put(of);
      assertEqual(await other.credentials.find(a.kind, a.id), [of], 'credentials');
      assertEqual(await one.receipts.put(a, 'f/1', 'first'), 'first', 'a receipt');
      assertEqual(await other.receipts.put(a, 'f/1', 'second'), 'first', 'the first receipt stays');
      await one.agents.note({ tenant: 'default', agent: 'bob', at: 5 });
      assertEqual((await other.agents.find('default', 'bob'))?.lastSeenAt, 5, 'agents');
    },
  ),
  onTwo('the store says what time it is to whoever decides', async (one, other) => {
    const times: (number | undefined)[] = [];
    for (const each of [one, other])
      await each.commit({ streams: [{ ref: a, known: NEW, access: 'write' }], messageIds: [] }, ({ now }) => {
        times.push(now);
        return [];
      });
    assert(
      times.every((time) => Number.isSafeInteger(time)),
      `times ${times.join()}`,
    );
    assert(Math.abs((one.shared?.now() ?? 0) - (times[0] ?? 0)) < 60_000, 'the same clock between commits');
  }),
  onTwo('a writer is given what the other wrote since', async (one, other) => {
    const entries = chain(a, 1, 5);
    await store(one, append(a, entries.slice(0, 2)));
    let calls = 0;
    const look = (known: number, access: 'read' | 'write', expected: readonly number[]) =>
      other.commit(
        { streams: [{ ref: a, known: { ...NEW, seq: known }, access }], messageIds: [] },
        ({ tails, skipped }) => {
          calls++;
          assertEqual([seqs(tails.get(streamKey(a)) ?? []), skipped.size], [expected, 0], `after ${known}`);
          return [];
        },
      );
    await look(0, 'write', [1, 2]);
    await look(2, 'write', []);
    await store(one, append(a, entries.slice(2)));
    await look(2, 'write', [3, 4, 5]);
    await look(1, 'read', [2, 3, 4, 5]);
    assertEqual(calls, 4, 'calls of decide');
    assertEqual((await attempt(other, append(a, chain(a, 6, 6)))).kind, 'stored', 'goes on');
  }),
  onTwo('a message id is found although only the other used it', async (one, other) => {
    await store(one, append(a, chain(a, 1, 2)));
    for (const [known, ask, found] of [
      [0, 'ifMoved', true],
      [2, 'ifMoved', false],
      [2, 'always', true],
    ] as const)
      await other.commit(
        {
          streams: [{ ref: a, known: { ...NEW, seq: known }, access: 'write' }],
          messageIds: [{ stream: a, messageId: 'm-2', ask }],
        },
        ({ seen }) => {
          assertEqual(seen.get(seenKey(streamKey(a), 'm-2'))?.seq === 2, found, `${ask} after ${known}`);
          return [];
        },
      );
  }),
  onTwo(
    'of two that append the same sequence one wins, and the other is told which stream',
    async (one, other) => {
      await store(one, append(a, chain(a, 1, 1)));
      await store(other, append(b, chain(b, 1, 1)));
      const next = (messageId: string): Entry[] => [entryOf(a, 2, { messageId })];
      const outcomes = await Promise.all([
        one.commit(NOTHING_ASKED, () => [append(a, next('x'))]),
        other.commit(NOTHING_ASKED, () => [append(b, chain(b, 2, 2)), append(a, next('y'))]),
      ]);
      assertWinner(outcomes, streamKey(a));
      assertEqual(seqs(await one.load(a, 0, 10)), [1, 2], 'dense');
    },
  ),
  onTwo(
    'of two that create the same stream one wins, and the other finds it next time',
    async (one, other) => {
      for (let round = 0; round < 20; round++) {
        const ref = streamRef(`s-${round}`);
        const create = (messageId: string) => () => [append(ref, [entryOf(ref, 1, { messageId })])];
        const asked = { streams: [{ ref, known: NEW, access: 'write' as const }], messageIds: [] };
        const outcomes = await Promise.all([
          one.commit(asked, create('x')),
          other.commit(asked, create('y')),
        ]);
        assertWinner(outcomes, streamKey(ref));
        for (const each of [one, other])
          await each.commit(asked, ({ tails }) => {
            assertEqual(seqs(tails.get(streamKey(ref)) ?? []), [1], 'the next time');
            return [];
          });
      }
    },
  ),
  onTwo(
    'two writers of one stream leave it dense, with every entry that was answered as stored',
    async (one, other) => {
      const nodes = [new Node(one, 'one'), new Node(other, 'other')];
      await Promise.all(
        nodes.map(async (node) => {
          for (let i = 0; i < ROUNDS / 4; i++) await node.untilAppendedTo(a);
        }),
      );
      const entries = await one.load(a, 0, 10_000);
      assertEqual(
        seqs(entries),
        Array.from({ length: ROUNDS / 2 }, (_, i) => i + 1),
        'sequences',
      );
      for (const name of ['one', 'other'])
        assertEqual(
          entries.filter(({ messageId }) => messageId.startsWith(`${name}-`)).length,
          ROUNDS / 4,
          `entries of ${name}`,
        );
    },
  ),
  onTwo('two writers that take two streams in opposite order do not stop each other', async (one, other) => {
    const [first, second] = [new Node(one, 'one'), new Node(other, 'other')];
    await first.untilAppendedTo(a, b);
    const all = async (node: Node, ...refs: readonly StreamRef[]) => {
      for (let round = 0; round < ROUNDS / 4; round++) await node.untilAppendedTo(...refs);
    };
    await Promise.all([all(first, a, b), all(second, b, a)]);
    for (const ref of [a, b]) {
      const found = seqs(await other.load(ref, 0, 100_000));
      assertEqual(
        found,
        Array.from({ length: found.length }, (_, i) => i + 1),
        `dense ${ref.id}`,
      );
      assert(found.length > ROUNDS / 2, `both got on: ${found.length}`);
    }
  }),
  onTwo('a reader of the feed misses nothing of either, in the order of each stream', async (one, other) => {
    const nodes = [new Node(one, 'one'), new Node(other, 'other')];
    let read: string[] = [];
    let cursor: Cursor = BEGINNING;
    const page = async (limit: number) => {
      const items = await one.feed(cursor, limit);
      for (const { at, entry } of items) {
        cursor = at;
        read.push(`${entry.stream.id}/${entry.seq}`);
      }
      return items.length;
    };
    let writing = true;
    const writers = Promise.all(
      nodes.map(async (node, n) => {
        for (let i = 0; i < ROUNDS / 4; i++) {
          await node.untilAppendedTo(a);
          await node.untilAppendedTo(streamRef(`of-${n}`), b);
        }
      }),
    ).finally(() => {
      writing = false;
    });
    while (writing) await page(3);
    await writers;
    const end = await other.position();
    // As it was read beside the writers, and then again in pages of several sizes.
    for (const limit of [7, 1, 20, 100_000]) {
      while ((await page(limit)) > 0);
      assertEqual(await one.behind(cursor), 0, 'the end is reached');
      for (const ref of [a, b, streamRef('of-0'), streamRef('of-1')]) {
        const own = read.filter((place) => place.startsWith(`${ref.id}/`));
        const stored = seqs(await one.load(ref, 0, 100_000)).map((seq) => `${ref.id}/${seq}`);
        assertEqual(own, stored, `the feed of ${ref.id}, in pages of ${limit}`);
      }
      [read, cursor] = [[], BEGINNING];
    }
    assertEqual(await one.feed(end, 10), [], 'the position is the end');
  }),
  onTwo(
    'an entry follows what it was decided on, also when its writer had read that before',
    async (one, other) => {
      for (const entry of chain(a, 1, 5)) await store(one, append(a, [entry]));
      assertEqual((await attempt(other, append(a, chain(a, 6, 6)))).kind, 'stored', 'nothing was new to it');
      const feed = (await one.feed(BEGINNING, 100)).map(({ entry }) => entry);
      assertEqual(seqs(feed), [1, 2, 3, 4, 5, 6], 'the feed');
    },
  ),
  onTwo('a place in the feed means the same to both', async (one, other) => {
    await store(one, append(a, chain(a, 1, 2)));
    const between = await other.position();
    await store(other, append(b, chain(b, 1, 3)));
    for (const each of [one, other]) {
      const rest = (await each.feed(between, 10)).map(({ entry }) => `${entry.stream.id}/${entry.seq}`);
      assertEqual(rest, ['b/1', 'b/2', 'b/3'], 'what follows');
      assert((await each.behind(between)) >= 3, 'behind');
      const query = { tenant: 'default', kind: StreamKind.Session, limit: 10, createdUpTo: between } as const;
      assertEqual(ids(await each.list(query)), ['a'], 'created before it');
    }
  }),
  onTwo('heads say at once how far each stream has come, and which are none', async (one, other) => {
    await store(one, append(a, chain(a, 1, 2)));
    await store(other, append(b, chain(b, 1, 1)));
    const none = streamRef('none');
    for (const each of [one, other])
      assertEqual((await each.shared?.heads([b, none, a, b]))?.seqs, [1, 0, 2, 1], 'heads');
    await store(other, append(a, chain(a, 3, 3)), append(none, chain(none, 1, 1)));
    assertEqual((await one.shared?.heads([a, none]))?.seqs, [3, 1], 'after another write');
    assertEqual((await one.shared?.heads([]))?.seqs, [], 'of none');
  }),
  onTwo('who listens hears of what the other stores, and not of its own', async (one, other) => {
    const heard: MovedStream[] = [];
    const end = one.shared?.moved((streams) => heard.push(...streams));
    await store(one, append(a, chain(a, 1, 1)));
    for (let seq = 1; seq <= 5; seq++) await store(other, append(b, chain(b, seq, seq)));
    const last = () => Math.max(0, ...heard.filter(({ ref }) => ref.id === 'b').map(({ seq }) => seq));
    for (let turn = 0; turn < TURNS && last() < 5; turn++) await one.position();
    assertEqual(last(), 5, 'the last of the other');
    assertEqual(heard.filter(({ ref }) => ref.id === 'a').length, 0, 'its own');
    end?.();
    const before = heard.length;
    await store(other, append(b, chain(b, 6, 6)));
    for (let turn = 0; turn < 50; turn++) await one.position();
    assertEqual(heard.length, before, 'after it ended');
  }),
  onTwo('both are members, each under a name of its own', async (one, other) => {
    const [first, second] = [one.shared?.members(), other.shared?.members()];
    assert(first !== undefined && second !== undefined && first.me !== second.me, 'names');
    assertEqual([...second.live].sort(), [first.me, second.me].sort(), 'live');
  }),
  onTwo('usage counts what both store for the same actor', async (one, other) => {
    const of = (ref: StreamRef, seq: number, length: number) =>
      append(ref, [entryOf(ref, seq, { payload: bytes(length), actor: 'ann' })]);
    await Promise.all([store(one, of(a, 1, 10)), store(other, of(b, 1, 7))]);
    await Promise.all([store(one, of(a, 2, 20)), store(other, of(b, 2, 3))]);
    for (const each of [one, other]) {
      assertEqual(await each.usage({ tenant: 'default', actor: 'ann' }), 40, 'ann');
      assertEqual(await each.usage({ tenant: 'default' }), 40, 'the tenant');
    }
  }),
];

/** One is stored; the other is a conflict that names this stream. */
function assertWinner(outcomes: readonly CommitOutcome[], key: string): void {
  const kinds = outcomes.map(({ kind }) => kind).sort();
  assertEqual(kinds, ['conflict', 'stored'], 'outcomes');
  const loser = outcomes.find(({ kind }) => kind === 'conflict');
  assert(loser?.kind === 'conflict' && loser.streams.includes(key), 'the loser is told which stream it was');
}
