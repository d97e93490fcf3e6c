/** Runs something that no error may end: after each error it pauses, longer each time, and runs it again. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pauses {
  readonly firstMs: number;
  readonly maxMs: number;
}

const PAUSES: Pauses = { firstMs: 1_000, maxMs: 30_000 };

/** Ends when the work returns, or with the signal. `failed` is told of each error and how long the pause is. */
export async function keepGoing(
  work: () => Promise<void>,
  signal: AbortSignal,
  failed: (error: unknown, pauseMs: number) => void,
  { firstMs, maxMs }: Pauses = PAUSES,
): Promise<void> {
  let pauseMs = firstMs;
  while (!signal.aborted) {
    const started = performance.now();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return;
      // What went well for a while has recovered from the errors before.
      if (performance.now() - started > maxMs) pauseMs = firstMs;
      failed(error, pauseMs);
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(maxMs, pauseMs * 2);
  }
}
