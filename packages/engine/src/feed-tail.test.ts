import type { Entry } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { decimalCursor } from './decimal-cursor.js';
import { headBytes } from './env.js';
import { FeedTail } from './feed-tail.js';

const PAYLOAD = new Uint8Array(100_000);

const entry = (seq: number, facts = ''): Entry =>
  ({ seq, factsText: facts, payload: PAYLOAD, salt: new Uint8Array(16) }) as Entry;

function filled(limits: { feedTailEntries: number; feedTailBytes: number }, entries: readonly Entry[]) {
  const tail = new FeedTail(limits);
  tail.restart(decimalCursor(0));
  for (const one of entries) tail.push([one], [decimalCursor(one.seq)]);
  return tail;
}

const seqs = (tail: FeedTail, after: number) =>
  tail.after(decimalCursor(after), 1_000)?.map((item) => item.entry.seq);

describe('the tail of the feed', () => {
  it('keeps no payload', () => {
    const tail = filled({ feedTailEntries: 10, feedTailBytes: 100_000 }, [entry(1)]);
    const [item] = tail.after(decimalCursor(0), 1) ?? [];
    expect(Object.keys(item?.entry ?? {})).toEqual(['seq', 'factsText']);
    expect(tail.bytes).toBe(headBytes(entry(1)));
  });

  it('is bounded in bytes, and knows where what is left begins', () => {
    const large = 'x'.repeat(10_000);
    const entries = Array.from({ length: 100 }, (_, n) => entry(n + 1, large));
    const tail = filled({ feedTailEntries: 1_000, feedTailBytes: 50_000 }, entries);
    expect(tail.bytes).toBeLessThanOrEqual(50_000);
    expect(seqs(tail, 0), 'too old: only the store can tell').toBeUndefined();
    const first = 100 - tail.bytes / headBytes(entry(1, large));
    expect(seqs(tail, first)).toEqual(Array.from({ length: 100 - first }, (_, n) => first + n + 1));
    expect(seqs(tail, 100)).toEqual([]);
  });

  it('is bounded in number', () => {
    const entries = Array.from({ length: 100 }, (_, n) => entry(n + 1));
    const tail = filled({ feedTailEntries: 20, feedTailBytes: 1_000_000 }, entries);
    expect(seqs(tail, 95)).toEqual([96, 97, 98, 99, 100]);
    expect(seqs(tail, 70)).toBeUndefined();
  });

  it('keeps its end when one entry alone is too large', () => {
    const tail = filled({ feedTailEntries: 20, feedTailBytes: 1_000 }, [entry(1, 'x'.repeat(5_000))]);
    expect([tail.bytes, seqs(tail, 0), seqs(tail, 1)]).toEqual([0, undefined, []]);
    tail.push([entry(2)], [decimalCursor(2)]);
    expect(seqs(tail, 1)).toEqual([2]);
  });
});
