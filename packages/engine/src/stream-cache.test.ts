/** hardening:H10: what streams in memory weigh is bounded, not only how many they are. */
import { type EntryHead, GENESIS, StreamKind } from '@handover/core';
import { expect, it } from 'vitest';
import { codec } from '../../../test/kit/codec.js';
import type { Env } from './env.js';
import { applyEntry, StreamCache } from './stream-cache.js';
import type { Deciders } from './submission.js';

const decider = { evolve: (_: unknown, entry: EntryHead) => entry.seq };
const env = { codec, store: { load: async () => [] } } as unknown as Env;
const deciders = { operation: decider } as unknown as Deciders;
const ref = (n: number) => ({ tenant: 't', kind: StreamKind.Operation, id: `op_${n}` }) as const;
/** Of so much weight, beside what every entry weighs. */
const entry = (size: number) =>
  ({ ...GENESIS, seq: 1, messageId: 'x'.repeat(size / 2), factsText: 'x'.repeat(size / 2) }) as EntryHead;
const EACH = 64;

async function filled(cache: StreamCache, count: number, size: number) {
  for (let n = 0; n < count; n++) applyEntry(await cache.load(ref(n)), entry(size));
}

it('lets go of the streams used longest ago, by count and by weight', async () => {
  const few = new StreamCache(env, deciders, 3, 1_000_000);
  await filled(few, 10, 10);
  expect([few.size, few.weight]).toEqual([3, 3 * (10 + EACH)]);
  const light = new StreamCache(env, deciders, 100, 1_000);
  await filled(light, 10, 300);
  expect(light.size).toBeLessThanOrEqual(5);
  expect(light.weight).toBeLessThanOrEqual(1_000 + 300 + EACH);
  light.drop(`t\noperation/op_9`);
  for (let n = 0; n < 10; n++) light.drop(`t\noperation/op_${n}`);
  expect([light.size, light.weight]).toEqual([0, 0]);
});

it('weighs all that a stream has been told: a state may keep every entry of a long session', async () => {
  const cache = new StreamCache(env, deciders, 100, 10_000);
  for (let n = 0; n < 3; n++) {
    const stream = await cache.load(ref(n));
    for (let told = 0; told < 100; told++) applyEntry(stream, entry(36));
  }
  await cache.load(ref(3));
  expect([cache.size, cache.weight]).toEqual([2, 10_000]);
});

it('keeps what a batch holds, and the newest', async () => {
  const cache = new StreamCache(env, deciders, 1, 100);
  const held = await cache.load(ref(0));
  held.pins = 1;
  applyEntry(held, entry(500));
  await cache.load(ref(1));
  await cache.load(ref(2));
  expect(cache.peek('t\noperation/op_0')).toBe(held);
  expect(cache.peek('t\noperation/op_2')).toBeDefined();
  expect(cache.peek('t\noperation/op_1')).toBeUndefined();
});
