import { setTimeout as delay } from 'node:timers/promises';
import { fail, given, MAX_TIMER_MS } from '../arguments.js';

/** How long to wait before connecting again. */
export interface ReconnectPolicy {
  /** The first wait, in milliseconds; it doubles from attempt to attempt. */
  readonly baseMs?: number;
  /** The longest wait. */
  readonly maxMs?: number;
  /** Failures in a row after which the last error is thrown; without it, attempts go on for ever. */
  readonly maxAttempts?: number;
}

/** Waits that double. Up to a quarter of each is random, so that many clients do not come back at once. */
export class Backoff {
  readonly #baseMs: number;
  readonly #maxMs: number;
  readonly #maxAttempts: number;
  #attempts = 0;

  constructor(policy: ReconnectPolicy = {}) {
    const {
      baseMs = 100,
      maxMs = 5_000,
      maxAttempts = Number.POSITIVE_INFINITY,
    } = given('reconnect', policy);
    // Without waits a lost connection would be a storm.
    for (const [name, value] of Object.entries({ baseMs, maxMs, maxAttempts }))
      if (!(typeof value === 'number' && value >= 0))
        fail(`reconnect.${name}`, 'must be a number, 0 or more');
    this.#baseMs = baseMs;
    this.#maxMs = maxMs;
    this.#maxAttempts = maxAttempts;
  }

  get exhausted(): boolean {
    return this.#attempts >= this.#maxAttempts;
  }

  reset(): void {
    this.#attempts = 0;
  }

  /** Waits at least as long as the runtime has asked for. */
  async wait(signal: AbortSignal | undefined, askedMs = 0): Promise<void> {
    const full = Math.min(this.#baseMs * 2 ** this.#attempts, this.#maxMs);
    this.#attempts++;
    await pause(Math.max(askedMs, full * (0.75 + Math.random() / 4)), signal);
  }
}

/** Resolves after so long, or at once when the signal fires. A runtime may ask for more than a timer can wait, which would be no wait. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(Math.min(ms, MAX_TIMER_MS), undefined, signal ? { signal } : {}).catch(() => undefined);
}
