import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `look` until its value is wanted, and returns that value. Throws after a time-out instead of hanging. */
export async function until<T>(
  look: () => T | Promise<T>,
  wanted: (seen: T) => boolean = Boolean,
  { timeoutMs = 45_000, everyMs = 5 } = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (wanted(seen)) return seen;
    if (performance.now() > deadline) {
      const last = JSON.stringify(seen)?.slice(0, 2_000);
      throw new Error(`not within ${timeoutMs} ms: ${look}; last seen: ${last}`);
    }
    await sleep(everyMs);
  }
}
