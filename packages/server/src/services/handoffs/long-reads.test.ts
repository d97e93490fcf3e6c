import { expect, it } from 'vitest';
import { until } from '../../../../../test/kit/until.js';
import { LongReads } from './long-reads.js';

const caller = (agent: string) => ({ tenant: 'default', agent });

/** Reads that end when they are told to. */
function setUp() {
  const reads = new LongReads();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const read = (agent: string) =>
    reads.run(caller(agent), () => {
      begun.push(agent);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const endOne = async () => {
    ends.shift()?.();
    for (let n = 0; n < 3; n++) await turn();
  };
  return { reads, begun, ends, read, turn, endOne };
}

it('hardening:H1 of one caller two are under way, and of all eight', async () => {
  const { reads, begun, read, turn } = setUp();
  for (let n = 0; n < 100; n++) void read('ann');
  await turn();
  expect(begun).toHaveLength(2);
  for (const agent of ['ben', 'cat', 'dan', 'eve']) for (let n = 0; n < 5; n++) void read(agent);
  await turn();
  expect(begun).toEqual(['ann', 'ann', 'ben', 'ben', 'cat', 'cat', 'dan', 'dan']);
  expect(reads.count).toBe(8);
});

it('hardening:H1 the hundredth of one caller does not delay the first of another', async () => {
  const { begun, read, turn, endOne } = setUp();
  for (const agent of ['ann', 'ben', 'cat', 'dan']) for (let n = 0; n < 100; n++) void read(agent);
  void read('eve');
  await turn();
  for (let n = 0; n < 5 && !begun.includes('eve'); n++) await endOne();
  expect(begun).toContain('eve');
});

it('hardening:H1 whoever waited begins in a turn of its own', async () => {
  const { begun, ends, read } = setUp();
  for (let n = 0; n < 3; n++) void read('ann');
  await until(() => ends.length === 2);
  ends[0]?.();
  for (let n = 0; n < 100; n++) await Promise.resolve();
  expect(begun).toHaveLength(2);
  await until(() => begun.length === 3);
});

it('one that fails leaves its place', async () => {
  const { reads } = setUp();
  const failing = () => reads.run(caller('ann'), () => Promise.reject(new Error('the store is away')));
  for (let n = 0; n < 5; n++) await expect(failing()).rejects.toThrow('the store is away');
  expect(reads.count).toBe(0);
});
