import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for something that another party does; fails loudly instead of hanging. */
export async function until(done: () => boolean, timeoutMs = 20_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!done()) {
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${done}`);
    await sleep(2);
  }
}
