/** Two engines on one log, as two nodes on one database: what one accepted the other knows, whoever asks it. */
import { createHash } from 'node:crypto';
import {
  type CommandOf,
  type DeciderOf,
  type Entry,
  FaultCode,
  HandoverError,
  StreamKind,
  type StreamRef,
  worklogDecider,
} from '@handover/core';
import { createCodec } from '@handover/wire';
import { describe, expect, it } from 'vitest';
import { BEGINNING } from './cursor.js';
import { Engine } from './engine.js';
import type { Env } from './env.js';
import { createSharedMemory } from './shared-memory.js';
import type { CommitOutcome, CommitRequest, Store } from './store.js';
import type { Submission } from './submission.js';

type Command = CommandOf<'worklog'>;

const FAR = 1_000_000_000;
const lifetimes = { dormantAfterMs: FAR, expireAfterMs: FAR, archiveAfterMs: FAR, purgeAfterMs: FAR };
const REGISTER: Command = { kind: 'register', id: 'id', lifetimes, payload: new Uint8Array(0) };
const NOTE: Command = {
  kind: 'addContext',
  entryId: 'e',
  contextType: 'message',
  payload: new Uint8Array(0),
  lifetimes,
};

const codec = createCodec({
  sha256: (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex'),
});
const ref = (id: string): StreamRef<'worklog'> => ({ tenant: 't', kind: StreamKind.Worklog, id });
const say = (id: string, command: Command, messageId?: string): Submission<readonly ['worklog']> => ({
  agent: 'a',
  steps: [{ stream: ref(id), command, ...(messageId && { messageId }) }],
  bytes: 1,
});

function nodes(
  wrapped: (store: Store, me: string) => Store = (store) => store,
  decider?: DeciderOf<'worklog'>,
) {
  const clock = { now: 1_000_000 };
  const memory = createSharedMemory(() => clock.now);
  const engineOf = (me: string, skewMs = 0): Engine => {
    const env: Env = {
      now: () => clock.now + skewMs,
      sleep: (ms) => {
        let timer: NodeJS.Timeout | undefined;
        const done = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, ms);
        });
        return { done, cancel: () => clearTimeout(timer) };
      },
      random: (n) => new Uint8Array(n).fill(7),
      store: wrapped(memory.join(me), me),
      codec,
      log: { debug() {}, info() {}, warn() {}, error() {} },
    };
    return new Engine(env, { worklog: decider ?? worklogDecider });
  };
  return { clock, memory, engineOf, a: engineOf('a'), b: engineOf('b') };
}

const decisions = (answer: Awaited<ReturnType<Engine['submit']>>) =>
  answer.ok ? answer.results.map(({ decision }) => decision.kind) : answer.rejection.code;

describe('a message that is said again at the other node', () => {
  it('is a duplicate, also where that node had read the stream before', async () => {
    const { a, b } = nodes();
    await a.submit(say('x', REGISTER, 'm-1'));
    await b.query(ref('x'));
    await a.submit(say('x', NOTE, 'm-2'));
    expect(decisions(await b.submit(say('x', NOTE, 'm-2')))).toEqual(['duplicate']);
    expect(decisions(await b.submit(say('x', REGISTER, 'm-1')))).toEqual(['duplicate']);
    expect((await a.query(ref('x')))?.seq).toBe(2);
  });

  it('is a duplicate where that node believed that there was no such stream', async () => {
    const { a, b } = nodes();
    expect(await b.query(ref('x'))).toBeUndefined();
    await a.submit(say('x', REGISTER, 'm-1'));
    expect(decisions(await b.submit(say('x', REGISTER, 'm-1')))).toEqual(['duplicate']);
  });
});

describe('reads', () => {
  it('see what the other node has acknowledged, absent streams included', async () => {
    const { a, b } = nodes();
    expect(await b.query(ref('x'))).toBeUndefined();
    await a.submit(say('x', REGISTER));
    expect((await b.query(ref('x')))?.seq).toBe(1);
    for (let n = 2; n <= 1_200; n++) await a.submit(say('x', NOTE));
    expect((await b.query(ref('x')))?.seq).toBe(1_200);
  });

  it('share one question for all that ask at once, and none where an older state will do', async () => {
    let questions = 0;
    const counted = (store: Store): Store => {
      const { shared } = store;
      if (!shared) return store;
      const heads: typeof shared.heads = (refs) => {
        questions++;
        return shared.heads(refs);
      };
      return { ...store, shared: { ...shared, heads } };
    };
    const { a, b } = nodes(counted);
    await a.submit(say('x', REGISTER));
    await a.submit(say('y', REGISTER));
    questions = 0;
    await Promise.all(Array.from({ length: 200 }, (_, n) => b.query(ref(n % 2 ? 'x' : 'y'))));
    expect(questions).toBeLessThanOrEqual(2);
    questions = 0;
    expect((await b.query(ref('x'), 1))?.seq).toBe(1);
    expect(questions).toBe(0);
    await a.submit(say('x', NOTE));
    expect((await b.query(ref('x'), 2))?.seq).toBe(2);
    expect(questions).toBe(1);
  });

  it('never show a stream older than they did before, whoever folds it first', async () => {
    const { a, b } = nodes();
    await a.submit(say('x', REGISTER));
    let highest = 0;
    let flaw: string | undefined;
    let writing = true;
    const watch = async (engine: Engine): Promise<void> => {
      while (writing) {
        const shown = highest;
        const seq = (await engine.query(ref('x')))?.seq ?? 0;
        if (seq < shown) flaw = `${seq} after ${shown}`;
        highest = Math.max(highest, seq);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const reading = [watch(a), watch(b)];
    for (let n = 0; n < 200; n++) await Promise.all([a.submit(say('x', NOTE)), b.submit(say('x', NOTE))]);
    writing = false;
    await Promise.all(reading);
    expect(flaw).toBeUndefined();
    expect((await a.query(ref('x')))?.seq).toBe(401);
  });
});

describe('what a node holds in memory', () => {
  it('takes a tail of which a reader has folded the beginning', async () => {
    let before: (() => Promise<unknown>) | undefined;
    const { a, b } = nodes((store, me) => ({
      ...store,
      commit: async (request, decide) => {
        if (me === 'b') await before?.();
        return store.commit(request, decide);
      },
    }));
    await a.submit(say('x', REGISTER));
    await b.query(ref('x'));
    await a.submit(say('x', NOTE));
    // The request names the head before the reader moves it.
    before = async () => {
      await b.query(ref('x'));
      await a.submit(say('x', NOTE));
    };
    expect(decisions(await b.submit(say('x', NOTE)))).toEqual(['accepted']);
    expect((await b.query(ref('x')))?.seq).toBe(4);
  });

  it('does not go back when a reader has folded more than the batch that is being answered', async () => {
    let after: (() => Promise<unknown>) | undefined;
    let loads = 0;
    const { a, b } = nodes((store, me) => ({
      ...store,
      load: (...asked) => {
        if (me === 'b') loads++;
        return store.load(...asked);
      },
      commit: async (request, decide) => {
        const outcome = await store.commit(request, decide);
        if (me === 'b') await after?.();
        return outcome;
      },
    }));
    await a.submit(say('x', REGISTER));
    await b.query(ref('x'));
    after = async () => {
      await a.submit(say('x', NOTE));
      await b.query(ref('x'));
    };
    await b.submit(say('x', NOTE));
    loads = 0;
    expect((await b.query(ref('x')))?.seq).toBe(3);
    expect(loads).toBe(0);
  });
});

describe('those who listen at one node', () => {
  it('follow what the other stores, in order, without gap', async () => {
    const { a, b } = nodes();
    const follower = b.follow(await b.position());
    const told: string[] = [];
    const listening = (async () => {
      for (let items = await follower.next(); items; items = await follower.next())
        for (const { entry } of items) told.push(`${entry.stream.id}/${entry.seq}`);
    })();
    await a.submit(say('x', REGISTER));
    await b.submit(say('y', REGISTER));
    await a.submit(say('x', NOTE));
    await b.submit(say('x', NOTE));
    await expect.poll(() => told).toEqual(['x/1', 'y/1', 'x/2', 'x/3']);
    follower.close();
    await listening;
  });

  it('are subscribed to what both store, in order, without gap', async () => {
    const { a, b } = nodes();
    await a.submit(say('x', REGISTER));
    const opened = await b.subscribe(
      ref('x'),
      () => 0,
      () => undefined,
    );
    if (!('subscription' in opened)) throw new Error('refused');
    const { subscription } = opened;
    const seqs: number[] = [];
    const listening = (async () => {
      for (let page = await subscription.next(); page; page = await subscription.next())
        for (const { seq } of page) seqs.push(seq);
    })();
    for (let n = 0; n < 50; n++) {
      await Promise.all([a.submit(say('x', NOTE)), b.submit(say('x', NOTE))]);
      if (n % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const all = Array.from({ length: 101 }, (_, n) => n + 1);
    await expect.poll(() => seqs).toEqual(all);
    subscription.close();
    await listening;
  });

  it.each([
    ['that it is told of', true],
    ['that it is not told of yet', false],
  ])('get no gap where the other node wrote between two of its own entries, %s', async (_, isTold) => {
    const quiet = (store: Store): Store => {
      const { shared } = store;
      return shared && !isTold ? { ...store, shared: { ...shared, moved: () => () => {} } } : store;
    };
    const { a, b } = nodes(quiet);
    await a.submit(say('x', REGISTER));
    const opened = await b.subscribe(
      ref('x'),
      () => 1,
      () => undefined,
    );
    if (!('subscription' in opened)) throw new Error('refused');
    for (const engine of [b, a, b]) {
      await engine.submit(say('x', NOTE));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const seqs: number[] = [];
    while (seqs.length < 3) for (const { seq } of (await opened.subscription.next()) ?? []) seqs.push(seq);
    expect(seqs).toEqual([2, 3, 4]);
    opened.subscription.close();
  });

  it('share a read of the store, but never one that began before the news', async () => {
    let hold: Promise<void> | undefined;
    let reads = 0;
    const slow = (store: Store): Store => ({
      ...store,
      feed: async (...asked) => {
        reads++;
        const items = await store.feed(...asked);
        await hold;
        return items;
      },
    });
    const { a, b } = nodes(slow);
    let letGo = (): void => {};
    hold = new Promise((resolve) => {
      letGo = resolve;
    });
    const [first, second, third] = [b.follow(BEGINNING), b.follow(BEGINNING), b.follow(BEGINNING)];
    const early = [first.next(), second.next()];
    expect(reads).toBe(1);
    await a.submit(say('x', REGISTER));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const late = third.next();
    letGo();
    expect((await Promise.all([...early, late])).map((items) => items?.length)).toEqual([1, 1, 1]);
    for (const follower of [first, second, third]) follower.close();
  });

  it('end listening to the store when the last of them has gone', async () => {
    let listeners = 0;
    const counted = (store: Store): Store => {
      const { shared } = store;
      if (!shared) return store;
      const moved: typeof shared.moved = (told) => {
        listeners++;
        const end = shared.moved(told);
        return () => {
          listeners--;
          end();
        };
      };
      return { ...store, shared: { ...shared, moved } };
    };
    const { a } = nodes(counted);
    await a.submit(say('x', REGISTER));
    const follower = a.follow(BEGINNING);
    const opened = await a.subscribe(
      ref('x'),
      () => 0,
      () => undefined,
    );
    const refused = await a.subscribe(
      ref('x'),
      () => 0,
      () => 'no',
    );
    expect([listeners, 'refusal' in refused]).toEqual([1, true]);
    follower.close();
    follower.close();
    expect(listeners).toBe(1);
    if ('subscription' in opened) opened.subscription.close();
    expect(listeners).toBe(0);
  });
});

/** A store that is told how its commits go, in their order; undefined: as they go. */
function scripted(
  script: (request: CommitRequest, count: number) => CommitOutcome | Error | 'skip' | undefined,
) {
  let count = 0;
  return (store: Store): Store => ({
    ...store,
    commit: async (request, decide) => {
      const how = script(request, count++);
      if (how instanceof Error) throw how;
      if (how === 'skip') {
        const { ref: stream } = request.streams[0] ?? {};
        const key = stream ? `${stream.tenant}\n${stream.kind}/${stream.id}` : '';
        return store.commit(request, (input) => decide({ ...input, skipped: new Set([key]) }));
      }
      if (how) {
        await store.commit(request, (input) => {
          decide(input);
          return [];
        });
        return how;
      }
      return store.commit(request, decide);
    },
  });
}

describe('when the other node was quicker', () => {
  it('a conflict that names new streams is no failure, however often', async () => {
    const conflicts = (count: number): CommitOutcome => ({ kind: 'conflict', streams: [`s${count}`] });
    const { a } = nodes(scripted((_, count) => (count < 20 ? conflicts(count) : undefined)));
    expect(decisions(await a.submit(say('x', REGISTER)))).toEqual(['accepted']);
  });

  it('a conflict that names the same stream again and again ends, and nothing is stored', async () => {
    const { a } = nodes(
      scripted((_, count) => (count < 9 ? { kind: 'conflict', streams: ['s'] } : undefined)),
    );
    await expect(a.submit(say('x', REGISTER))).rejects.toMatchObject({ code: FaultCode.NOT_STORED });
    expect(await a.query(ref('x'))).toBeUndefined();
  });

  it('a busy stream is passed over three times, then waited for, then refused', async () => {
    const waited: boolean[] = [];
    const { a } = nodes(
      scripted((request) => {
        waited.push(request.streams.some(({ wait }) => wait));
        return 'skip';
      }),
    );
    await expect(a.submit(say('x', REGISTER))).rejects.toMatchObject({
      code: FaultCode.OVERLOADED,
      next: 'retryable',
    });
    expect(waited).toEqual([false, false, false, true]);
  });

  it('commands that were passed over keep their order', async () => {
    let skipped = false;
    const { a } = nodes(
      scripted((request) => {
        if (request.streams.length !== 1 || skipped) return undefined;
        skipped = true;
        return 'skip';
      }),
    );
    const answers = await Promise.all([
      a.submit(say('x', REGISTER, 'm-1')),
      a.submit(say('x', NOTE, 'm-2')),
      a.submit(say('x', NOTE, 'm-3')),
    ]);
    expect(answers.map(decisions)).toEqual([['accepted'], ['accepted'], ['accepted']]);
    expect(answers.map((answer) => answer.ok && answer.results[0]?.entries[0]?.seq)).toEqual([1, 2, 3]);
  });

  it('only what is written is asked for to be written', async () => {
    const asked: (readonly [string, string])[] = [];
    const { a } = nodes(
      scripted((request) => {
        for (const { ref: stream, access } of request.streams) asked.push([stream.id, access]);
        return undefined;
      }),
    );
    await a.submit({ ...say('x', REGISTER), consult: [ref('registry')] });
    expect(asked).toEqual([
      ['x', 'write'],
      ['registry', 'read'],
    ]);
  });
});

describe('faults of the store', () => {
  it('an unknown outcome fails its batch only; the same message again is answered by what is stored', async () => {
    const unknown = new HandoverError(FaultCode.UNKNOWN_OUTCOME, 'the connection was lost', {
      next: 'retryable',
    });
    let lose = false;
    const { a, b } = nodes((store, me) => ({
      ...store,
      commit: async (request, decide) => {
        const outcome = await store.commit(request, decide);
        if (me !== 'a' || !lose) return outcome;
        lose = false;
        throw unknown;
      },
    }));
    await a.submit(say('x', REGISTER));
    lose = true;
    await expect(a.submit(say('x', NOTE, 'm-1'))).rejects.toMatchObject({ code: FaultCode.UNKNOWN_OUTCOME });
    expect(a.stopped).toBeUndefined();
    expect(decisions(await a.submit(say('x', NOTE, 'm-1')))).toEqual(['duplicate']);
    expect(decisions(await b.submit(say('x', NOTE, 'm-1')))).toEqual(['duplicate']);
    expect((await a.query(ref('x')))?.seq).toBe(2);
  });

  it('a batch that was lost on its way is tried once more, and not twice', async () => {
    const lost: CommitOutcome = { kind: 'notStored', reason: 'the connection was lost', again: true };
    const once = nodes(scripted((_, count) => (count < 1 ? lost : undefined)));
    expect(decisions(await once.a.submit(say('x', REGISTER)))).toEqual(['accepted']);
    const twice = nodes(scripted((_, count) => (count < 2 ? lost : undefined)));
    await expect(twice.a.submit(say('x', REGISTER))).rejects.toMatchObject({ code: FaultCode.NOT_STORED });
  });

  it('a damaged tail fails the commands of its stream, and no other', async () => {
    const forged = (store: Store, me: string): Store => ({
      ...store,
      commit: (request, decide) =>
        store.commit(request, (input) => {
          const tails = new Map(input.tails);
          for (const [key, tail] of tails)
            if (me === 'b' && key.endsWith('/x'))
              tails.set(
                key,
                tail.map((entry) => ({ ...entry, actor: 'mallory' })),
              );
          return decide({ ...input, tails });
        }),
    });
    const { a, b } = nodes(forged);
    await a.submit(say('x', REGISTER));
    await a.submit(say('y', REGISTER));
    await b.query(ref('x'));
    await a.submit(say('x', NOTE));
    const [damaged, well] = [b.submit(say('x', NOTE)), b.submit(say('y', NOTE))];
    await expect(damaged).rejects.toMatchObject({ code: FaultCode.DATA_LOSS });
    expect(decisions(await well)).toEqual(['accepted']);
  });
});

describe('companions', () => {
  /** A stream that has got a note is bound to another one, to which each note of it is told. */
  const bound: DeciderOf<'worklog'> = {
    ...worklogDecider,
    companions: (state, { id }) => (id === 'x' && state.lastNumber > 0 ? [ref('companion')] : []),
  };

  it('that only a tail reveals are fetched before the command is decided', async () => {
    const { a, b } = nodes(undefined, bound);
    await a.submit(say('companion', REGISTER));
    await a.submit(say('x', REGISTER));
    await b.query(ref('x'));
    await a.submit(say('x', NOTE));
    expect(decisions(await b.submit(say('x', NOTE, 'm-1')))).toEqual(['accepted']);
    expect(decisions(await a.submit(say('x', NOTE, 'm-1')))).toEqual(['duplicate']);
  });
});

describe('the clock', () => {
  it('of the store dates entries, however wrong that of a node is', async () => {
    const { clock, engineOf } = nodes();
    const late = engineOf('late', -3_600_000);
    const early = engineOf('early', 3_600_000);
    const at = async (engine: Engine, id: string): Promise<number | undefined> => {
      const answer = await engine.submit(say(id, REGISTER));
      const [result] = answer.ok ? answer.results : [];
      const [entry]: readonly Entry[] = result?.entries ?? [];
      return entry?.at;
    };
    expect([await at(late, 'x'), await at(early, 'y')]).toEqual([clock.now, clock.now]);
  });

  it('of the store says when a timer of a node with another clock goes off, and what its reads see', async () => {
    const { clock, memory, engineOf } = nodes();
    const late = engineOf('late', -3_600_000);
    const spy = memory.join('spy');
    const soon = { ...REGISTER, lifetimes: { ...lifetimes, dormantAfterMs: 30 } };
    await late.submit(say('x', soon));
    clock.now += 30;
    await expect.poll(async () => (await spy.load(ref('x'), 0, 9)).length).toBe(2);
    await late.submit(say('y', { ...soon, lifetimes: { ...lifetimes, dormantAfterMs: 100_000_000 } }));
    clock.now += 100_000_000;
    expect((await late.query(ref('y')))?.seq).toBe(2);
    await late.close();
  });

  it('of the store says what is due, and any node wakes it in the end', async () => {
    const { clock, memory, a, b, engineOf } = nodes();
    const spy = memory.join('spy');
    const names = Array.from({ length: 20 }, (_, n) => `x${n}`);
    const ticked = async (): Promise<number> => {
      const lengths = await Promise.all(names.map(async (id) => (await spy.load(ref(id), 0, 9)).length));
      return lengths.filter((length) => length === 2).length;
    };
    const soon = { ...lifetimes, dormantAfterMs: 600_000 };
    for (const id of names) await a.submit(say(id, { ...REGISTER, lifetimes: soon }));
    // Its node stops, and still counts as alive for a while.
    await a.close();
    clock.now += 599_000;
    const other = engineOf('c', 3_600_000);
    expect((await other.query(ref('x0')))?.seq).toBe(1);
    // Three seconds late: each is woken by the node that is named for it, and those of the others wait.
    clock.now += 4_000;
    other.start();
    await expect.poll(ticked).toBeGreaterThan(0);
    const named = await ticked();
    expect(named).toBeLessThan(names.length);
    // Later than that: by whoever looks.
    clock.now += 8_000;
    b.start();
    await expect.poll(ticked).toBe(names.length);
    await Promise.all([other.close(), b.close()]);
  });
});
