import { MAX_TIMER_MS } from '../arguments.js';

/** Wakes those who wait for something to change. */
export class Bell {
  readonly #waiting = new Set<() => void>();

  ring(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves at the next ring, when the signal fires, or after so long. */
  wait(signal: AbortSignal, ms?: number): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer =
        ms === undefined ? undefined : setTimeout(() => wake(), Math.min(Math.max(0, ms), MAX_TIMER_MS));
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
