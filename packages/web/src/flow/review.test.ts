import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Api } from '../api/api.js';
import { createReview } from './review.js';

const listeners = new Map<string, () => void>();
const addEventListener = (name: string, listener: () => void) => void listeners.set(name, listener);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', { setInterval: globalThis.setInterval, addEventListener });
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page whose record nobody changes; counts how often it is read. */
async function opened() {
  const record = { family: 'operation', id: 'op_1', chainId: 1, status: 'opened', steps: [] };
  const read = vi.fn(async () => record);
  const review = createReview({ read, chain: async () => ({}) } as unknown as Api);
  await review.refresh();
  review.watch();
  read.mockClear();
  return { review, read };
}

it('review:Y4 reads more often while a prompt of its own is open', async () => {
  const { review, read } = await opened();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(read).toHaveBeenCalledTimes(2);
  review.busy.value = { stepId: 'a', phase: 'wallet' };
  await vi.advanceTimersByTimeAsync(10_000);
  expect(read).toHaveBeenCalledTimes(7);
});

it('review:Y4 reads at once when somebody comes back from the window of the wallet', async () => {
  const { read } = await opened();
  listeners.get('focus')?.();
  expect(read).toHaveBeenCalledTimes(1);
  // The next look is counted from there.
  await vi.advanceTimersByTimeAsync(4_000);
  expect(read).toHaveBeenCalledTimes(1);
});
