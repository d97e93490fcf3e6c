import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateLimiter, RateBucket } from './rate-limiter.js';

const alice = { tenant: 'default', agent: 'alice' };

function setUp(options: { starts?: number; messages?: number; maxSenders?: number } = {}) {
  const clock = { now: 5_000 };
  const limiter = createRateLimiter({
    sessionStartsPerMinute: options.starts ?? 2,
    messagesPerMinute: options.messages ?? 3,
    now: () => clock.now,
    ...(options.maxSenders === undefined ? {} : { maxSenders: options.maxSenders }),
  });
  return { clock, limiter };
}

describe('the rate limiter', () => {
  it('lets the oldest request go after exactly 60 seconds', () => {
    const { clock, limiter } = setUp();
    const check = () => limiter.check(alice, RateBucket.MESSAGE);
    check();
    clock.now += 10_000;
    check();
    check();
    expect(check()).toEqual({ allowed: false, retryAfterMs: 50_000 });
    clock.now += 49_999;
    expect(check()).toEqual({ allowed: false, retryAfterMs: 1 });
    clock.now += 1;
    expect(check()).toEqual({ allowed: true });
    expect(check()).toEqual({ allowed: false, retryAfterMs: 10_000 });
  });

  it('takes several places at once, all of them or none, and never more than there are', () => {
    const { clock, limiter } = setUp({ messages: 20 });
    const check = (places?: number) => limiter.check(alice, RateBucket.MESSAGE, places);
    for (let count = 0; count < 15; count++) {
      expect(check()).toEqual({ allowed: true });
      clock.now += 1_000;
    }
    // Ten need the five that came first to have gone.
    expect(check(10)).toEqual({ allowed: false, retryAfterMs: 49_000 });
    expect(check(5)).toEqual({ allowed: true });
    expect(check(1)).toEqual({ allowed: false, retryAfterMs: 45_000 });
    clock.now += 49_000;
    expect(check(6)).toEqual({ allowed: false, retryAfterMs: 1_000 });
    expect(check(5)).toEqual({ allowed: true });
    clock.now += 60_000;
    expect(check(1_000)).toEqual({ allowed: true });
    expect(check(1)).toEqual({ allowed: false, retryAfterMs: 60_000 });
  });

  it('keeps buckets, agents and tenants apart', () => {
    const { limiter } = setUp({ starts: 1, messages: 1 });
    expect(limiter.check(alice, RateBucket.MESSAGE).allowed).toBe(true);
    expect(limiter.check(alice, RateBucket.MESSAGE).allowed).toBe(false);
    expect(limiter.check(alice, RateBucket.SESSION_START).allowed).toBe(true);
    expect(limiter.check({ tenant: 'acme', agent: 'alice' }, RateBucket.MESSAGE).allowed).toBe(true);
    expect(limiter.check({ tenant: 'default', agent: 'bob' }, RateBucket.MESSAGE).allowed).toBe(true);
  });

  it('tells whether there is a place without taking it', () => {
    const { clock, limiter } = setUp({ messages: 2 });
    const peek = () => limiter.peek(alice, RateBucket.ANSWER);
    for (let count = 0; count < 100; count += 1) expect(peek()).toEqual({ allowed: true });
    expect(limiter.size).toBe(0);
    limiter.check(alice, RateBucket.ANSWER);
    limiter.check(alice, RateBucket.MESSAGE);
    expect(peek()).toEqual({ allowed: true });
    clock.now += 1_000;
    limiter.check(alice, RateBucket.ANSWER);
    expect(peek()).toEqual({ allowed: false, retryAfterMs: 59_000 });
    clock.now += 59_000;
    expect(peek()).toEqual({ allowed: true });
  });

  it('forgets idle senders, and never remembers more than it may', () => {
    const { clock, limiter } = setUp({ maxSenders: 100 });
    for (let count = 0; count < 1_000; count += 1) {
      limiter.check({ tenant: 'default', agent: `agent-${count}` }, RateBucket.MESSAGE);
    }
    expect(limiter.size).toBe(100);
    clock.now += 60_000;
    for (let count = 0; count < 100; count += 1) limiter.check(alice, RateBucket.MESSAGE);
    expect(limiter.size).toBe(1);
  });

  it('never admits more than the limit in any window, never refuses below it, and says when to come back', () => {
    const step = fc.record({ wait: fc.integer({ min: 0, max: 30_000 }), agent: fc.constantFrom('a', 'b') });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(step, { maxLength: 300 }), (limit, steps) => {
        const { clock, limiter } = setUp({ messages: limit });
        const admitted: Record<string, number[]> = { a: [], b: [] };
        for (const { wait, agent } of steps) {
          // Short waits dominate, so that limits are reached.
          clock.now += wait < 24_000 ? wait % 200 : wait;
          const times = admitted[agent] ?? [];
          const recent = times.filter((time) => clock.now - time < 60_000);
          const decision = limiter.check({ tenant: 't', agent }, RateBucket.MESSAGE);
          expect(decision.allowed).toBe(recent.length < limit);
          if (decision.allowed) times.push(clock.now);
          else expect(decision.retryAfterMs).toBe((times.at(-limit) ?? 0) + 60_000 - clock.now);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('costs the same for a large limit as for a small one', () => {
    const { clock, limiter } = setUp({ messages: 1_000_000 });
    for (let count = 0; count < 200_000; count += 1) {
      clock.now += 0.01;
      limiter.check(alice, RateBucket.MESSAGE);
    }
    expect(limiter.check(alice, RateBucket.MESSAGE).allowed).toBe(true);
  });
});
