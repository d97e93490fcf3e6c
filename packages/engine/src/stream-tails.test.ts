import type { Entry } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { entryBytes } from './env.js';
import { StreamTail, StreamTails } from './stream-tails.js';

const entry = (seq: number, bytes: number): Entry =>
  ({ seq, factsText: '', payload: new Uint8Array(bytes) }) as Entry;

const seqs = (tail: StreamTail) => tail.entries.map(({ seq }) => seq);

describe('tails of streams', () => {
  it('keep the newest entries within their bytes, and the newest in any case', () => {
    const tails = new StreamTails({ tailBytesPerStream: 5_000, tailBytesInAll: 100_000 });
    const tail = new StreamTail();
    for (let seq = 1; seq <= 10; seq++) tails.push(tail, entry(seq, 1_000));
    expect(seqs(tail)).toEqual([8, 9, 10]);
    tails.push(tail, entry(11, 50_000));
    expect(seqs(tail)).toEqual([11]);
    expect(tails.bytes).toBe(entryBytes(entry(11, 50_000)));
    expect(tail.after(10, 1)?.map(({ seq }) => seq)).toEqual([11]);
    expect(tail.after(9, 1)).toBeUndefined();
  });

  it('are bounded in all, whatever the number of streams: those that moved longest ago are emptied', () => {
    const tails = new StreamTails({ tailBytesPerStream: 5_000, tailBytesInAll: 20_000 });
    const streams = Array.from({ length: 100 }, () => new StreamTail());
    for (const tail of streams) tails.push(tail, entry(1, 4_000));
    expect(tails.bytes).toBeLessThanOrEqual(20_000);
    expect(streams.map((tail) => tail.entries.length).lastIndexOf(0)).toBe(95);
    const [emptied] = streams;
    if (!emptied) throw new Error('no stream');
    expect(emptied.after(0, 1)).toBeUndefined();
    tails.push(emptied, entry(2, 4_000));
    expect(emptied.after(1, 1)).toHaveLength(1);
    for (const tail of streams) tails.empty(tail);
    expect(tails.bytes).toBe(0);
  });
});
