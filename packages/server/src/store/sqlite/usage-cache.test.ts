import type { StreamAppend, UsageQuery } from '@handover/engine';
import { append, entryOf, streamRef } from '@handover/engine/store-contract';
import { describe, expect, it } from 'vitest';
import { createUsageCache } from './usage-cache.js';

const ref = streamRef('a');
const stored = (actor: string, bytes: number): readonly StreamAppend[] => [
  append(ref, [entryOf(ref, 1, { actor, payload: new Uint8Array(bytes) })]),
];
const ann = { tenant: ref.tenant, actor: 'ann' };

describe('the cache of usage', () => {
  it('asks once for each, and adds what is stored from then on', async () => {
    const asked: UsageQuery[] = [];
    const cache = createUsageCache(async (query) => {
      asked.push(query);
      return 100;
    });
    expect(await cache.of(ann)).toBe(100);
    for (let i = 0; i < 1_000; i += 1) {
      cache.stored(stored('ann', 3));
      cache.stored(stored('bob', 5));
    }
    expect(await cache.of(ann)).toBe(3_100);
    expect(await cache.of({ tenant: ref.tenant })).toBe(100);
    cache.stored(stored('bob', 5));
    expect(await cache.of({ tenant: ref.tenant })).toBe(105);
    expect(asked).toEqual([ann, { tenant: ref.tenant }]);
  });

  it('does not count twice what was stored while it asked', async () => {
    let answer: (bytes: number) => void = () => {};
    const cache = createUsageCache(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const asking = cache.of(ann);
    // The answer to this commit came before the answer to the question, which therefore counts it.
    cache.stored(stored('ann', 10));
    answer(10);
    expect(await asking).toBe(10);
    cache.stored(stored('ann', 10));
    expect(await cache.of(ann)).toBe(20);
  });

  it('remembers the latest ten thousand, and asks again for the others', async () => {
    let asked = 0;
    const cache = createUsageCache(async () => ++asked);
    for (let i = 0; i < 10_001; i += 1) await cache.of({ tenant: 't', actor: `agent-${i}` });
    await cache.of({ tenant: 't', actor: 'agent-10000' });
    expect(asked).toBe(10_001);
    await cache.of({ tenant: 't', actor: 'agent-0' });
    expect(asked).toBe(10_002);
  });
});
