import { createHash } from 'node:crypto';
import {
  type CommandOf,
  type DeciderOf,
  FaultCode,
  HandoverError,
  StreamKind,
  type StreamRef,
  worklogDecider,
} from '@handover/core';
import { createCodec } from '@handover/wire';
import { describe, expect, it } from 'vitest';
import { BEGINNING, cursorFrom } from './cursor.js';
import { Engine } from './engine.js';
import type { Env } from './env.js';
import type { FeedFollower } from './feed.js';
import { createMemoryStore } from './memory-store.js';
import type { CommitOutcome, Cursor, FeedItem, Store } from './store.js';
import { withScrambledCursors } from './store-contract/scrambled-cursors.js';
import type { Submission } from './submission.js';

type Command = CommandOf<'worklog'>;

/** The decider of working sessions, with one added command on which it throws. */
const decider: DeciderOf<'worklog'> = {
  ...worklogDecider,
  decide: (state, command, stamp, context) => {
    if (command === DEFECT) throw new Error('a defect in a decider');
    return worklogDecider.decide(state, command, stamp, context);
  },
};

const FAR = 1_000_000_000;
const registerFor = (dormantAfterMs: number): Command => ({
  kind: 'register',
  id: 'id',
  lifetimes: { dormantAfterMs, expireAfterMs: FAR, archiveAfterMs: FAR, purgeAfterMs: FAR },
  payload: new Uint8Array(0),
});
const REGISTER = registerFor(FAR);
const NOTE: Command = {
  kind: 'addContext',
  entryId: 'e',
  contextType: 'message',
  payload: new Uint8Array(0),
  lifetimes: { dormantAfterMs: FAR, expireAfterMs: FAR, archiveAfterMs: FAR, purgeAfterMs: FAR },
};
/** Refused as a conflict: no stream of these tests has so many entries. */
const REFUSED: Command = { ...NOTE, expectedSequence: 1_000_000 };
const DEFECT: Command = { ...NOTE };

const codec = createCodec({
  sha256: (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex'),
});
const ref = (id: string): StreamRef<'worklog'> => ({ tenant: 't', kind: StreamKind.Worklog, id });
const step = (id: string, command: Command, messageId?: string) => ({
  stream: ref(id),
  command,
  ...(messageId && { messageId }),
});
const one = (id: string, command: Command, messageId?: string): Submission<readonly ['worklog']> => ({
  agent: 'a',
  steps: [step(id, command, messageId)],
  bytes: 1,
});
const register = (id: string, dormantAfterMs = FAR) => one(id, registerFor(dormantAfterMs));
const note = (id: string, messageId?: string) => one(id, NOTE, messageId);

function world(store: Store = createMemoryStore(), limits = {}, worklog = decider) {
  const clock = { now: 1_000 };
  const env: Env = {
    now: () => clock.now,
    sleep: (ms) => {
      let timer: NodeJS.Timeout | undefined;
      const done = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      return { done, cancel: () => clearTimeout(timer) };
    },
    random: (n) => new Uint8Array(n).fill(7),
    store,
    codec,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  };
  return { clock, store, engine: new Engine(env, { worklog }, limits) };
}

/** A store whose commits wait until they are let through, and can be told how to end. */
function gated(inner = createMemoryStore()) {
  const gates: { open: (outcome?: CommitOutcome | Error) => void; entries: number }[] = [];
  const store: Store = {
    ...inner,
    commit: async (request, decide) => {
      let entries = 0;
      const forced = await new Promise<CommitOutcome | Error | undefined>((open) => {
        gates.push({
          open,
          get entries() {
            return entries;
          },
        });
      });
      if (forced instanceof Error) throw forced;
      if (forced) {
        decide({ tails: new Map(), seen: new Map(), skipped: new Set() });
        return forced;
      }
      return inner.commit(request, (input) => {
        const appends = decide(input);
        entries = appends.reduce((sum, append) => sum + append.entries.length, 0);
        return appends;
      });
    },
  };
  const reached = (at: number) => expect.poll(() => gates.length).toBeGreaterThan(at);
  /** Lets the commit of that number through, once it is there. */
  const pass = async (at: number, outcome?: CommitOutcome | Error) => {
    await reached(at);
    gates[at]?.open(outcome);
  };
  return { store, gates, reached, pass };
}

/** A store that cannot read some streams. */
function unreadable(inner: Store, isBroken: (id: string) => boolean): Store {
  return {
    ...inner,
    load: (r, after, limit) =>
      isBroken(r.id) ? Promise.reject(new Error('a bad block')) : inner.load(r, after, limit),
  };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('the loop', () => {
  it('answers only when the batch is durable, and batches what queued meanwhile', async () => {
    const { store, gates, reached, pass } = gated();
    const { engine } = world(store);
    const answered: string[] = [];
    const first = engine.submit(register('x')).then(() => answered.push('first'));
    await reached(0);
    const rest = [1, 2, 3].map((n) => engine.submit(note('x')).then(() => answered.push(`rest${n}`)));
    await settle();
    expect(answered).toEqual([]);
    expect((await engine.query(ref('x')))?.seq).toBeUndefined();
    await pass(0);
    await first;
    await reached(1);
    await settle();
    expect(answered).toEqual(['first']);
    await pass(1);
    await Promise.all(rest);
    expect(gates).toHaveLength(2);
    expect(gates[1]?.entries).toBe(3);
    expect(await engine.query(ref('x'))).toMatchObject({
      state: { lastNumber: 3 },
      seq: 4,
      head: { seq: 4 },
    });
  });

  it('lets each command of a batch see those before it', async () => {
    const { engine } = world();
    void engine.submit(register('x'));
    const answers = await Promise.all([1, 2, 3].map(() => engine.submit(note('x'))));
    const numbers = answers.map((answer) => answer.ok && answer.results[0].entries[0]?.facts.n);
    expect(numbers).toEqual([1, 2, 3]);
  });

  it('stores all streams of a submission or none', async () => {
    const { engine } = world();
    const both = { agent: 'a', bytes: 1 };
    const refused = await engine.submit({ ...both, steps: [step('x', REGISTER), step('y', NOTE)] });
    expect(refused).toMatchObject({ ok: false, step: 1, rejection: { code: 'SESSION_NOT_FOUND' } });
    expect(await engine.query(ref('x'))).toBeUndefined();
    const done = await engine.submit({
      ...both,
      steps: [step('x', REGISTER), step('y', REGISTER), step('x', NOTE)],
    });
    expect(done.ok && done.results.map(({ state }) => [state?.key, state?.lastNumber])).toEqual([
      ['x', 0],
      ['y', 0],
      ['x', 1],
    ]);
    expect((await engine.query(ref('y')))?.seq).toBe(1);
  });

  it('undoes the steps before a refusal also within a batch', async () => {
    const { engine } = world();
    const [, refused, after] = await Promise.all([
      engine.submit(register('x')),
      engine.submit({ agent: 'a', bytes: 1, steps: [step('x', NOTE), step('y', NOTE)] }),
      engine.submit(note('x')),
    ]);
    expect(refused.ok).toBe(false);
    expect(after.ok && after.results[0].state?.lastNumber).toBe(1);
    expect((await engine.query(ref('x')))?.seq).toBe(2);
  });

  it('recognises a message id within the batch, across batches and after a cold load', async () => {
    const inner = createMemoryStore();
    const { engine } = world(inner);
    await engine.submit(register('x'));
    const id = 'm1';
    const [one, two] = await Promise.all([engine.submit(note('x', id)), engine.submit(note('x', id))]);
    expect(one.ok && one.results[0].decision.kind).toBe('accepted');
    expect(two.ok && two.results[0].decision.kind).toBe('duplicate');
    const three = await engine.submit(note('x', id));
    expect(three.ok && three.results[0].decision.kind).toBe('duplicate');
    const { engine: cold } = world(inner);
    const four = await cold.submit(note('x', id));
    expect(four.ok && four.results[0].decision.kind).toBe('duplicate');
  });

  it('ticks a due stream before a command and before a read, at the time it fell due', async () => {
    const { engine, clock, store } = world();
    await engine.submit(register('x', 1_000));
    clock.now = 5_000;
    const refused = await engine.submit(one('x', REFUSED));
    expect(refused.ok).toBe(false);
    const history = await store.load(ref('x'), 0, 10);
    expect(history.map(({ type, at }) => [type, at])).toEqual([
      ['WorklogRegistered', 1_000],
      ['WorklogDormant', 2_000],
    ]);
    await engine.submit(register('y', 1_000));
    clock.now = 7_000;
    expect(await engine.query(ref('y'))).toMatchObject({
      state: { dormant: true },
      seq: 2,
      head: { seq: 2 },
    });
  });

  it('decides a command as of when it came: what waits for others is not late', async () => {
    const { store, pass, reached } = gated();
    const { engine, clock } = world(store);
    const made = engine.submit(register('x', 1_000));
    await pass(0);
    await made;
    const busy = engine.submit(register('y'));
    await reached(1);
    clock.now = 1_900;
    const inTime = engine.submit(note('x'));
    clock.now = 2_100;
    const late = engine.submit(note('x'));
    clock.now = 60_000;
    await pass(1);
    await pass(2);
    await Promise.all([busy, inTime, late]);
    expect((await store.load(ref('x'), 0, 10)).map(({ type, at }) => [type, at])).toEqual([
      ['WorklogRegistered', 1_000],
      ['ContextAdded', 1_900],
      ['ContextAdded', 2_100],
    ]);
  });

  it('never lets the time of a stream go back', async () => {
    const { engine, clock, store } = world();
    await engine.submit(register('x'));
    clock.now = 10;
    await engine.submit(note('x'));
    expect((await store.load(ref('x'), 0, 10)).map(({ at }) => at)).toEqual([1_000, 1_000]);
  });

  it('fails a command whose decider throws, and only that one', async () => {
    const { engine } = world();
    const poison = engine.submit(one('x', DEFECT));
    const good = engine.submit(register('x'));
    await expect(poison).rejects.toMatchObject({ code: FaultCode.INTERNAL });
    expect((await good).ok).toBe(true);
  });
});

describe('bounds and faults', () => {
  it('refuses beyond the queue, before deciding', async () => {
    const { store, pass } = gated();
    const { engine } = world(store, { queueCommands: 2 });
    const kept = [engine.submit(register('x')), engine.submit(note('x'))];
    await expect(engine.submit(note('x'))).rejects.toMatchObject({
      code: FaultCode.OVERLOADED,
      next: 'retryable',
    });
    await pass(0);
    await Promise.all(kept);
    expect((await engine.query(ref('x')))?.seq).toBe(2);
  });

  it('answers NOT_STORED to everybody of a batch that was not stored, and goes on', async () => {
    const { store, pass } = gated();
    const { engine } = world(store);
    const lost = engine.submit(register('x'));
    await pass(0, { kind: 'notStored', reason: 'disk full' });
    await expect(lost).rejects.toMatchObject({ code: FaultCode.NOT_STORED });
    const kept = engine.submit(register('x'));
    await pass(1);
    expect((await kept).ok).toBe(true);
    expect((await engine.query(ref('x')))?.seq).toBe(1);
  });

  it('stops for good after an unknown outcome: no answer, no further decision', async () => {
    const { store, reached, pass } = gated();
    const { engine } = world(store);
    const first = engine.submit(register('x'));
    await reached(0);
    const queued = engine.submit(note('x'));
    await pass(0, new HandoverError(FaultCode.UNKNOWN_OUTCOME, 'fsync failed', { next: 'fatal' }));
    await expect(first).rejects.toMatchObject({ code: FaultCode.UNKNOWN_OUTCOME });
    await expect(queued).rejects.toMatchObject({ code: FaultCode.UNKNOWN_OUTCOME });
    await expect(engine.submit(note('x'))).rejects.toMatchObject({ code: FaultCode.UNKNOWN_OUTCOME });
    await expect(engine.query(ref('x'))).rejects.toMatchObject({ code: FaultCode.UNKNOWN_OUTCOME });
  });

  it('decides again from what is stored when another node wrote', async () => {
    const inner = createMemoryStore();
    const { engine: here } = world(inner);
    const { engine: there } = world(inner);
    await here.submit(register('x'));
    await there.submit(note('x'));
    const answer = await here.submit(note('x'));
    expect(answer.ok && answer.results[0].state?.lastNumber).toBe(2);
  });

  it('postpones what is busy elsewhere, and gives up with a retryable refusal', async () => {
    const inner = createMemoryStore();
    let busy = 1;
    const store: Store = {
      ...inner,
      commit: (request, decide) =>
        inner.commit(request, (input) => {
          const key = request.streams.map(({ ref: r }) => `${r.tenant}\n${r.kind}/${r.id}`);
          return decide({ ...input, skipped: busy-- > 0 ? new Set(key) : new Set() });
        }),
    };
    const { engine } = world(store);
    expect((await engine.submit(register('x'))).ok).toBe(true);
    busy = 10;
    await expect(engine.submit(note('x'))).rejects.toMatchObject({ code: FaultCode.OVERLOADED });
  });

  it('refuses a stream whose history is damaged, and serves the others', async () => {
    const inner = createMemoryStore();
    await world(inner).engine.submit(register('x'));
    await world(inner).engine.submit(register('y'));
    const store: Store = {
      ...inner,
      load: async (r, after, limit) =>
        (await inner.load(r, after, limit)).map((e) => (r.id === 'x' ? { ...e, actor: 'mallory' } : e)),
    };
    const { engine } = world(store);
    await expect(engine.query(ref('x'))).rejects.toMatchObject({ code: FaultCode.DATA_LOSS });
    await expect(engine.submit(note('x'))).rejects.toMatchObject({ code: FaultCode.DATA_LOSS });
    expect((await engine.submit(note('y'))).ok).toBe(true);
  });

  it('fails alone what cannot be loaded again after a conflict', async () => {
    const inner = createMemoryStore();
    const { store, gates, pass } = gated(unreadable(inner, (id) => id === 'x' && gates.length > 2));
    const { engine } = world(store);
    for (const id of ['x', 'y']) {
      const made = engine.submit(register(id));
      await pass(id === 'x' ? 0 : 1);
      await made;
    }
    const [broken, well] = [engine.submit(note('x')), engine.submit(note('y'))];
    broken.catch(() => {});
    await pass(2, { kind: 'conflict', streams: [] });
    await pass(3);
    await expect(broken).rejects.toMatchObject({ code: FaultCode.INTERNAL });
    expect((await well).ok).toBe(true);
    expect(engine.stopped).toBeUndefined();
    expect(engine.depth).toBe(0);
  });

  it('fails alone what has a new companion that cannot be loaded', async () => {
    const { store, reached, pass } = gated(unreadable(createMemoryStore(), (id) => id === 'companion'));
    const { engine } = world(
      store,
      {},
      {
        ...decider,
        companions: (state, of) => (of.id === 'x' && state.lastNumber > 0 ? [ref('companion')] : []),
      },
    );
    for (const id of ['x', 'y']) {
      const made = engine.submit(register(id));
      await pass(id === 'x' ? 0 : 1);
      await made;
    }
    const first = engine.submit(note('x'));
    await reached(2);
    const [broken, well] = [engine.submit(note('x')), engine.submit(note('y'))];
    broken.catch(() => {});
    await pass(2);
    expect((await first).ok).toBe(true);
    await pass(3);
    await expect(broken).rejects.toMatchObject({ code: FaultCode.INTERNAL });
    expect((await well).ok).toBe(true);
    expect(engine.stopped).toBeUndefined();
  });

  it('finishes what is queued when it closes, and refuses what comes after', async () => {
    const { engine } = world();
    const last = engine.submit(register('x'));
    const closing = engine.close();
    await expect(engine.submit(note('x'))).rejects.toMatchObject({ code: FaultCode.SHUTTING_DOWN });
    expect((await last).ok).toBe(true);
    await closing;
  });
});

describe('timers', () => {
  it('rings a stream that falls due with nobody asking', async () => {
    const { engine, clock, store } = world();
    engine.start();
    await engine.submit(register('x', 20));
    clock.now = 1_500;
    await expect.poll(async () => (await store.load(ref('x'), 0, 10)).length).toBe(2);
    await engine.close();
  });

  it('brings up to date at start what fell due while nobody was running', async () => {
    const inner = createMemoryStore();
    const before = world(inner).engine;
    for (let i = 0; i < 1_200; i++) void before.submit(register(`s${i}`, 500));
    await before.submit(register('last'));
    const { engine, clock } = world(inner);
    clock.now = 9_000;
    engine.start();
    await expect.poll(async () => (await inner.due({ upTo: 9_000, limit: 10 })).length).toBe(0);
    expect((await inner.load(ref('s1199'), 0, 10)).map(({ at }) => at)).toEqual([1_000, 1_500]);
    await engine.close();
  });

  it('wakes each late stream once in a sweep, also when more than a page of them keep failing', async () => {
    const inner = createMemoryStore();
    const before = world(inner).engine;
    for (let i = 0; i < 1_200; i++) void before.submit(register(`broken${i}`, 500));
    await before.submit(register('well', 600));
    const loads = new Map<string, number>();
    let sweeps = 0;
    const store: Store = {
      ...unreadable(inner, (id) => id.startsWith('broken')),
      // Past any honest number of pages it shows nothing, so that a loop without end becomes a failure.
      due: async (...query) => (++sweeps > 20 ? [] : inner.due(...query)),
    };
    const load = store.load;
    const counted: Store = {
      ...store,
      load: (r, after, limit) => {
        loads.set(r.id, (loads.get(r.id) ?? 0) + 1);
        return load(r, after, limit);
      },
    };
    const { engine, clock } = world(counted);
    clock.now = 9_000;
    await engine.catchUp();
    expect(sweeps).toBeLessThanOrEqual(4);
    expect(Math.max(...loads.values())).toBe(1);
    expect((await inner.load(ref('well'), 0, 10)).map(({ at }) => at)).toEqual([1_000, 1_600]);
  });
});

describe('subscriptions', () => {
  const collect = async (engine: Engine, after: number, until: number) => {
    const opened = await engine.subscribe(
      ref('x'),
      () => after,
      () => undefined,
    );
    if ('refusal' in opened) throw new Error('refused');
    const seen: number[] = [];
    while (seen.at(-1) !== until) {
      const entries = await opened.subscription.next();
      seen.push(...(entries ?? []).map(({ seq }) => seq));
    }
    opened.subscription.close();
    return seen;
  };
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

  it('shows every entry once, in order, from history through the live edge', async () => {
    const { engine } = world();
    void engine.submit(register('x'));
    for (const _ of numbers(2, 700)) void engine.submit(note('x'));
    await engine.submit(note('x'));
    const early = collect(engine, 0, 1_500);
    const late = collect(engine, 650, 1_500);
    for (const n of numbers(1, 799)) {
      void engine.submit(note('x'));
      if (n % 50 === 0) await settle();
    }
    expect(await early).toEqual(numbers(1, 1_500));
    expect(await late).toEqual(numbers(651, 1_500));
    expect(engine.subscribers).toBe(0);
  });

  it('takes a place past the end as the end', async () => {
    const { engine } = world();
    await engine.submit(register('s'));
    const opened = await engine.subscribe(
      ref('s'),
      () => 100,
      () => undefined,
    );
    if (!('subscription' in opened)) throw new Error('refused');
    expect(opened.subscription.cursor).toBe(1);
    await engine.submit(note('s'));
    expect((await opened.subscription.next())?.map(({ seq }) => seq)).toEqual([2]);
  });

  it('asks for authority before anything is bound', async () => {
    const { engine } = world();
    await engine.submit(register('x'));
    expect(
      await engine.subscribe(
        ref('x'),
        () => 0,
        () => 'no',
      ),
    ).toEqual({ refusal: 'no' });
    expect(engine.subscribers).toBe(0);
  });

  it('cuts off a subscriber that does not pull while its stream moves on, and says where to resume', async () => {
    const { engine } = world(createMemoryStore(), { subscriberBudgetBytes: 5_000 });
    await engine.submit(register('x'));
    const faults: HandoverError[] = [];
    const opened = await engine.subscribe(
      ref('x'),
      () => 0,
      () => undefined,
      (fault) => faults.push(fault),
    );
    if ('refusal' in opened) throw new Error('refused');
    await opened.subscription.next();
    for (const _ of numbers(1, 50)) await engine.submit(note('x'));
    await expect.poll(() => faults.length).toBe(1);
    expect(faults[0]).toMatchObject({ code: FaultCode.STREAM_LAGGED, details: { after_sequence: 1 } });
    await expect(opened.subscription.next()).rejects.toMatchObject({ code: FaultCode.STREAM_LAGGED });
    expect(await collect(engine, 1, 51)).toEqual(numbers(2, 51));
  });

  it('follows the feed of all streams without gap', async () => {
    const { engine, store } = world(withScrambledCursors(createMemoryStore()));
    await engine.submit(register('x'));
    const follower = engine.follow(BEGINNING);
    const seen: FeedItem[] = [];
    const reading = (async () => {
      while (seen.length < 401) seen.push(...((await follower.next()) ?? []));
    })();
    for (const n of numbers(1, 200)) {
      void engine.submit(note('x'));
      void engine.submit(register(`s${n}`));
      if (n % 20 === 0) await settle();
    }
    await reading;
    const stored = await store.feed(BEGINNING, 1_000);
    expect(stored).toHaveLength(401);
    expect(seen.map(placeOf)).toEqual(stored.map(placeOf));
    follower.close();
    expect(await follower.next()).toBeUndefined();
  });

  it('gives a follower that begins anywhere what is left, from memory or from the store', async () => {
    const { engine, store } = world(withScrambledCursors(createMemoryStore()));
    const early = engine.follow(await engine.position());
    await engine.submit(register('x'));
    // Enough entries for the tail in memory to drop its older half.
    for (const _ of numbers(1, 5)) {
      await Promise.all(numbers(1, 1_000).map(() => engine.submit(note('x'))));
      await settle();
    }
    const all = await store.feed(BEGINNING, 10_000);
    expect(all).toHaveLength(5_001);
    const from: Cursor[] = [BEGINNING, ...[0, 1_000, 3_000, 4_999].map((i) => all[i]?.at ?? BEGINNING)];
    for (const after of from) {
      const rest = all.slice(all.findIndex(({ at }) => at === after) + 1);
      expect((await taken(engine.follow(after), rest.length)).map(placeOf)).toEqual(rest.map(placeOf));
    }
    expect((await taken(early, all.length)).map(placeOf)).toEqual(all.map(placeOf));
  });

  it('reads nothing from the store for a follower that is up to date, and wakes it', async () => {
    let reads = 0;
    const inner = createMemoryStore();
    const { engine } = world({
      ...inner,
      feed: (...args) => {
        reads++;
        return inner.feed(...args);
      },
    });
    const follower = engine.follow(await engine.position());
    const first = follower.next();
    await engine.submit(register('x'));
    expect(await first).toHaveLength(1);
    const before = reads;
    for (const seq of numbers(2, 20)) {
      const next = follower.next();
      await engine.submit(note('x'));
      expect((await next)?.map(({ entry }) => entry.seq)).toEqual([seq]);
    }
    expect(reads).toBe(before);
    follower.close();
  });

  it('locates a cursor that was kept: in the log, past its end, and not of this store', async () => {
    const { engine, store } = world(withScrambledCursors(createMemoryStore()));
    await engine.submit(register('x'));
    const [kept] = await store.feed(BEGINNING, 1);
    await Promise.all(numbers(1, 6).map(() => engine.submit(note('x'))));
    expect(await engine.locate(kept?.at ?? BEGINNING)).toEqual({ at: kept?.at, behind: 6 });
    expect(await engine.locate(BEGINNING)).toEqual({ at: BEGINNING, behind: 7 });
    const end = { at: await engine.position(), behind: 0 };
    expect(await engine.locate(await engine.position())).toEqual(end);
    expect(await engine.locate(cursorFrom('~0001'))).toEqual(end);
    expect(await engine.locate(cursorFrom('7'))).toBeUndefined();
    await store.close();
    await expect(engine.locate(BEGINNING)).rejects.toMatchObject({ code: FaultCode.SHUTTING_DOWN });
  });
});

const placeOf = ({ at, entry }: FeedItem): string => `${at} ${entry.stream.id}/${entry.seq}`;

async function taken(follower: FeedFollower, count: number): Promise<FeedItem[]> {
  const items: FeedItem[] = [];
  while (items.length < count) items.push(...((await follower.next()) ?? []));
  follower.close();
  return items;
}
