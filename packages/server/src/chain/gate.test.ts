import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AskOutcome, ChainGate, type GateLimits } from './gate.js';
import { ChainRefused, ChainSilent, ChainUnavailable } from './port.js';

const LIMITS: GateLimits = {
  atOnce: 2,
  waiting: 4,
  waitingOfOne: 4,
  failuresInARow: 3,
  firstPauseMs: 100,
  maxPauseMs: 400,
};

/** A gate on a clock that the test moves, before an RPC that the test answers. */
function world(limits: Partial<GateLimits> = {}) {
  const outcomes: AskOutcome[] = [];
  let probes = 0;
  let silent = false;
  const gate = new ChainGate({
    limits: { ...LIMITS, ...limits },
    now: () => Date.now(),
    probe: async () => {
      probes += 1;
      if (silent) throw new ChainSilent('silent');
    },
    asked: (outcome) => outcomes.push(outcome),
  });
  /** Asks; the answer comes when the test says so. */
  const ask = (asker = 'a', withinMs = 1_000) => {
    let answer: (failure?: Error) => void = () => {};
    let begun = false;
    const question = () =>
      new Promise<string>((resolve, reject) => {
        begun = true;
        answer = (failure) => (failure ? reject(failure) : resolve('yes'));
      });
    const outcome = gate.ask({ asker, until: Date.now() + withinMs }, question).then(
      (value) => value,
      (failure: Error) => failure,
    );
    return { outcome, answer: (failure?: Error) => answer(failure), begun: () => begun };
  };
  const fail = async (times: number) => {
    for (let i = 0; i < times; i += 1) {
      const asked = ask();
      asked.answer(new ChainSilent('silent'));
      await asked.outcome;
    }
  };
  return {
    gate,
    ask,
    fail,
    outcomes,
    probes: () => probes,
    setSilent: (value: boolean) => {
      silent = value;
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ now: 10_000 });
});
afterEach(() => {
  vi.useRealTimers();
});
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('hardening:H5 places that wait', () => {
  it('are not all for one who asks', async () => {
    const { ask, gate } = world({ waiting: 6, waitingOfOne: 2 });
    const own = Array.from({ length: 5 }, () => ask('a'));
    expect(gate.waiting).toBe(2);
    expect(await own[4]?.outcome).toMatchObject({ message: 'too many questions of yours wait for this RPC' });
    ask('b');
    expect(gate.waiting).toBe(3);
  });
});

describe('a gate', () => {
  it('lets a few through at once, and those who ask take turns', async () => {
    const { ask, gate } = world({ waiting: 10, waitingOfOne: 10 });
    const many = Array.from({ length: 6 }, () => ask('many'));
    const one = ask('one');
    expect(many.filter(({ begun }) => begun())).toHaveLength(2);
    expect(gate.waiting).toBe(5);
    many[0]?.answer();
    await settle();
    expect(many[2]?.begun()).toBe(true);
    many[1]?.answer();
    await settle();
    expect(one.begun()).toBe(true);
    expect(many[3]?.begun()).toBe(false);
  });

  it('refuses beyond its queue, and whoever has waited long enough', async () => {
    const { ask, gate, outcomes } = world();
    const running = [ask(), ask()];
    const waiting = [ask('b', 50), ask(), ask(), ask()];
    expect(String(await ask().outcome)).toContain('too many questions wait');
    await vi.advanceTimersByTimeAsync(60);
    expect(String(await waiting[0]?.outcome)).toContain('did not answer in time');
    expect(gate.waiting).toBe(3);
    expect(outcomes).toEqual(['unasked', 'unasked']);
    running[0]?.answer();
    await settle();
    expect(waiting[1]?.begun()).toBe(true);
  });

  it('answers a caller in time while its question still takes a place', async () => {
    const { ask, outcomes } = world({ atOnce: 1 });
    const slow = ask('a', 50);
    await vi.advanceTimersByTimeAsync(60);
    expect(await slow.outcome).toBeInstanceOf(ChainUnavailable);
    const next = ask();
    expect([next.begun(), outcomes]).toEqual([false, []]);
    slow.answer(new ChainSilent('silent'));
    await settle();
    expect([next.begun(), outcomes]).toEqual([true, ['failed']]);
  });

  it('pauses after failures in a row, tells everybody who waits, and asks once after the pause', async () => {
    const { ask, fail, gate, probes, setSilent } = world();
    await fail(2);
    const [third, other, waits] = [ask(), ask(), ask()];
    third.answer(new ChainSilent('silent'));
    await settle();
    expect(gate.isPaused).toBe(true);
    expect(await waits.outcome).toMatchObject({ retryAfterMs: 100 });
    other.answer(new ChainSilent('silent'));
    await vi.advanceTimersByTimeAsync(40);
    const refused = ask();
    expect(await refused.outcome).toMatchObject({ retryAfterMs: 60 });
    expect([refused.begun(), probes()]).toEqual([false, 0]);

    setSilent(true);
    for (const pause of [200, 400, 400]) {
      await vi.advanceTimersByTimeAsync(400);
      const asked = [ask(), ask(), ask()];
      for (const { outcome } of asked) expect(await outcome).toMatchObject({ retryAfterMs: pause });
      expect(asked.some(({ begun }) => begun())).toBe(false);
    }
    expect(probes()).toBe(3);

    setSilent(false);
    await vi.advanceTimersByTimeAsync(400);
    const back = ask();
    await settle();
    back.answer();
    expect(await back.outcome).toBe('yes');
    expect([probes(), gate.isPaused]).toEqual([4, false]);
  });

  it('does not take an answer for a failure, whatever it says', async () => {
    const { ask, fail, gate } = world();
    for (const failure of [new ChainRefused('reverted'), new ChainUnavailable('an error in proper form')]) {
      await fail(2);
      const asked = ask();
      asked.answer(failure);
      await asked.outcome;
      await fail(2);
      expect(gate.isPaused).toBe(false);
      const answered = ask();
      answered.answer();
      await answered.outcome;
    }
  });

  it('opens again when an earlier question is answered after all', async () => {
    const { ask, fail, gate } = world();
    const slow = ask();
    await fail(3);
    expect(gate.isPaused).toBe(true);
    slow.answer();
    await settle();
    expect(gate.isPaused).toBe(false);
    const next = ask();
    next.answer();
    expect(await next.outcome).toBe('yes');
  });
});
