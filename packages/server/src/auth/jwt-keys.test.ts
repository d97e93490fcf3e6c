import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JwtKey } from './jwks.js';
import { fetchedKeys } from './jwt-keys.js';

const keySet = (kid: string): readonly JwtKey[] => [
  { kid, algorithm: 'HS256', key: createSecretKey(Buffer.alloc(32)) },
];

/** An issuer that counts its calls and can be switched off, and a clock that stands until it is moved. */
function setUp() {
  const state = { now: 1_000_000, calls: 0, up: true, kid: 'one', failures: 0 };
  const keys = fetchedKeys({
    fetchKeys: async () => {
      state.calls += 1;
      await Promise.resolve();
      if (!state.up) throw new Error('down');
      return keySet(state.kid);
    },
    now: () => state.now,
    ttlMs: 300_000,
    staleGraceMs: 3_600_000,
    retryPauseMs: 10_000,
    rotationPauseMs: 30_000,
    onFailure: () => {
      state.failures += 1;
    },
  });
  const kid = async () => (await keys.current())[0]?.kid;
  return { state, keys, kid };
}

describe('fetched keys', () => {
  it('are fetched once while fresh, by one fetch for all who wait', async () => {
    const { state, kid } = setUp();
    expect(await Promise.all(Array.from({ length: 20 }, kid))).toEqual(Array(20).fill('one'));
    state.now += 299_999;
    await kid();
    expect(state.calls).toBe(1);
  });

  it('are fetched again at the end of their time', async () => {
    const { state, kid } = setUp();
    await kid();
    state.kid = 'two';
    state.now += 300_000;
    expect(await kid()).toBe('two');
    expect(state.calls).toBe(2);
  });

  it('are served stale while the issuer is down, up to the grace and no longer', async () => {
    const { state, kid } = setUp();
    await kid();
    state.up = false;
    state.now += 300_000;
    expect(await kid()).toBe('one');
    expect(state.failures).toBe(1);
    state.now += 3_599_999;
    expect(await kid()).toBe('one');
    state.now += 1;
    await expect(kid()).rejects.toThrow('no signing keys');
  });

  it('a dead issuer is asked once per pause, not once per request', async () => {
    const { state, kid } = setUp();
    state.up = false;
    for (let count = 0; count < 50; count += 1) await expect(kid()).rejects.toThrow();
    expect(state.calls).toBe(1);
    state.now += 10_000;
    state.up = true;
    expect(await kid()).toBe('one');
    expect(state.calls).toBe(2);
  });

  it('unknown key ids cause at most one fetch per pause', async () => {
    const { state, keys } = setUp();
    await keys.current();
    state.kid = 'two';
    for (let count = 0; count < 50; count += 1) await keys.afterRotation();
    expect(state.calls).toBe(1);
    state.now += 30_000;
    for (let count = 0; count < 50; count += 1) expect((await keys.afterRotation())[0]?.kid).toBe('two');
    expect(state.calls).toBe(2);
  });
});
