import type { Entry } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { piecesBackwards } from './backwards.js';
import type { HandoffDependencies } from './dependencies.js';

type Store = HandoffDependencies['store'];

/** Entries 1, 2, … with payloads of these sizes; it notes the most that it gave at once. */
function storeOf(sizes: readonly number[]) {
  const given: number[] = [];
  const read: Store['read'] = async (_, after, { entries, bytes }) => {
    const page: Entry[] = [];
    let sum = 0;
    for (let seq = after + 1; seq <= sizes.length && page.length < entries; seq++) {
      const size = sizes[seq - 1] ?? 0;
      if (page.length > 0 && sum + size > bytes) break;
      page.push({ seq, payload: new Uint8Array(size) } as Entry);
      sum += size;
    }
    given.push(sum);
    return page;
  };
  return { store: { read } as Store, given };
}

const KIB = 1_024;
const ref = { tenant: 't', kind: 'worklog', id: 'k' } as const;

describe('reading backwards', () => {
  it.each([
    ['many small', Array.from({ length: 3_000 }, () => 10)],
    ['a few large', Array.from({ length: 40 }, () => 1_024 * KIB)],
    ['small ones before large ones', [...Array(600).fill(1_024 * KIB), ...Array(1_200).fill(10)]],
    ['by turns', Array.from({ length: 900 }, (_, index) => (index % 7 === 0 ? 900 * KIB : 50))],
    ['none', []],
  ])('gives each entry once and holds little: %s', async (_, sizes) => {
    const { store, given } = storeOf(sizes);
    const seen: number[] = [];
    for await (const piece of piecesBackwards(store, ref, sizes.length))
      seen.push(...piece.map(({ seq }) => seq).toReversed());
    expect(seen).toEqual(sizes.map((__, index) => sizes.length - index));
    expect(Math.max(0, ...given)).toBeLessThanOrEqual((256 + 1_024) * KIB);
    // What is read in vain is bounded, too.
    const needed = sizes.reduce((sum, size) => sum + size, 0);
    expect(given.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3 * needed);
  });
});
