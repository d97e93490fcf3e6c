import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fixedLimits } from '../../config/fixed-limits.js';
import { ChainWatch } from './chain-watch.js';
import type { LookResult } from './look-at-record.js';

const ref = { tenant: 't', kind: 'operation', id: 'op_1' } as const;
const POLL_MS = 2_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** How many looks are made in so much time. */
async function looksIn(ms: number, result: LookResult): Promise<number> {
  let looks = 0;
  const look = async () => {
    looks += 1;
    return result;
  };
  const watch = new ChainWatch({ pollMs: POLL_MS, mayLook: () => true, look, onEmpty: () => undefined });
  watch.watch(ref, 'owner');
  await vi.advanceTimersByTimeAsync(ms);
  await watch.close();
  return looks;
}

describe('a record that is watched', () => {
  it('review:2.2 is looked at every 2 to 60 seconds while something of it waits', async () => {
    expect(await looksIn(3_600_000, { again: true, moved: false })).toBeGreaterThan(60);
  });

  it('review:2.2 every five minutes when nothing of it waits any more', async () => {
    const looks = await looksIn(3_600_000, { again: true, moved: false, calmMs: 300_000 });
    expect(looks).toBeGreaterThanOrEqual(11);
    expect(looks).toBeLessThanOrEqual(13);
  });

  it('review:2.2 every 30 to 60 seconds for an hour after somebody said that a prompt was not signed', async () => {
    const { lateSignedLookMs, lateSignedMs } = fixedLimits;
    expect(lateSignedMs.value).toBe(3_600_000);
    const looks = await looksIn(3_600_000, { again: true, moved: false, calmMs: lateSignedLookMs.value });
    expect(looks).toBeGreaterThanOrEqual(60);
    expect(looks).toBeLessThanOrEqual(120);
  });

  it('is forgotten when there is nothing more to look for', async () => {
    expect(await looksIn(3_600_000, { again: false, moved: false })).toBe(1);
  });
});
