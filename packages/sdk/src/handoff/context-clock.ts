/**
 * How long a decision waits for the context that belongs to it. An owner offers first and sends the context after that, so
 * whoever decides at the offer decides without it.
 *
 * C1. Without any context the decision is due `firstMs` after the offer was seen, and has `stopped` waiting.
 * C2. With context it is due when nothing new came for `quietMs`; an owner who never stops is waited for no longer than
 *     `firstMs` after the first one.
 */

import { MAX_TIMER_MS } from '../arguments.js';
import { MacpSessionError } from '../errors.js';

/** How long to wait for context before a decision. */
export interface ContextWait {
  /** For the first context, in milliseconds after the offer was seen; 2,000 by default, 0 waits for nothing. */
  readonly firstMs?: number | undefined;
  /** For one more after each, in milliseconds; 150 by default. */
  readonly quietMs?: number | undefined;
}

/** What ended the wait: context that came, or the time that was given to it. */
export type Waited = 'context' | 'stopped';

/** A wait whose parts are all known. */
export type FullContextWait = { readonly [K in keyof ContextWait]-?: number };

export function contextWaitOf({ firstMs = 2_000, quietMs = 150 }: ContextWait = {}): FullContextWait {
  for (const [name, ms] of Object.entries({ firstMs, quietMs }))
    if (!(Number.isFinite(ms) && ms >= 0 && ms <= MAX_TIMER_MS))
      throw new MacpSessionError(
        `context.${name} must be a number of milliseconds, 0 or more`,
        `context.${name}`,
      );
  return { firstMs, quietMs };
}

/** The same wait where a policy answers in the target's name after a time: it must not come first. */
export function within({ firstMs, quietMs }: FullContextWait, policyAnswersMs: number): FullContextWait {
  if (policyAnswersMs === 0) return { firstMs, quietMs };
  const most = policyAnswersMs / 4;
  return { firstMs: Math.min(firstMs, most), quietMs: Math.min(quietMs, most) };
}

export class ContextClock {
  readonly #wait: FullContextWait;
  readonly #since: number;
  #count = 0;
  #firstAt = 0;
  #lastAt = 0;

  constructor(wait: FullContextWait, since = performance.now()) {
    this.#wait = wait;
    this.#since = since;
  }

  get waited(): Waited {
    return this.#count > 0 ? 'context' : 'stopped';
  }

  /** Takes note of how many contexts there are by now. */
  saw(count: number, now = performance.now()): void {
    if (count <= this.#count) return;
    if (this.#count === 0) this.#firstAt = now;
    this.#lastAt = now;
    this.#count = count;
  }

  /** Milliseconds until the decision is due; 0 or less when it is. */
  left(now = performance.now()): number {
    const { firstMs, quietMs } = this.#wait;
    if (this.#count === 0) return this.#since + firstMs - now;
    return Math.min(this.#lastAt + quietMs, this.#firstAt + Math.max(firstMs, quietMs)) - now;
  }
}
