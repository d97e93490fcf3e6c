/**
 * One wait for all calls of a worker. When one call fails on the way, or is told to wait, all wait: each on its own would
 * be a storm. The wait doubles as long as nothing gets through, and is never shorter than the runtime asks.
 */

import { INTERNAL_ERROR, RATE_LIMITED } from '../error-codes.js';
import { MacpAckError, MacpSdkError, MacpTransportError } from '../errors.js';
import { pause } from '../transport/backoff.js';
import { isFinal } from '../transport/status.js';

const FIRST_MS = 100;
const MOST_MS = 5_000;

/** Whether the same call may get through later. */
export function mayPassLater(error: unknown): boolean {
  if (error instanceof MacpAckError) return error.code === RATE_LIMITED || error.code === INTERNAL_ERROR;
  return error instanceof MacpTransportError && !isFinal(error);
}

export class Gate {
  #until = 0;
  #failures = 0;

  /** Resolves when calls may be made, or the signal has fired. */
  async pass(signal: AbortSignal): Promise<void> {
    for (;;) {
      const ms = this.#until - performance.now();
      if (ms <= 0 || signal.aborted) return;
      await pause(ms, signal);
    }
  }

  passed(): void {
    this.#failures = 0;
  }

  failed(error: unknown): void {
    const now = performance.now();
    // Several calls that fail at once are one failure.
    if (now >= this.#until) this.#failures++;
    const own = Math.min(FIRST_MS * 2 ** (this.#failures - 1), MOST_MS) * (0.75 + Math.random() / 4);
    const asked = error instanceof MacpSdkError ? (error.retryAfterMs ?? 0) : 0;
    this.#until = Math.max(this.#until, now + Math.max(own, asked));
  }
}
