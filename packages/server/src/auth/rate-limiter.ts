/**
 * A sliding window per sender: at most `limit` requests in any 60 seconds, exactly, for each of two buckets.
 *
 * R1. Per (tenant, agent) as the credential says, never per address or per what the envelope claims.
 * R2. O(1) per check: the ring of a sender holds its last `limit` admitted times; the oldest of them decides.
 * R3. A refused request takes no budget.
 * R4. Memory is bounded: rings grow with use, senders idle for a window are forgotten, and beyond `maxSenders` the one
 *     idle longest is. A forgotten sender may be admitted too often; the queue's own bounds still hold.
 */
import { fixedLimits } from '../config/fixed-limits.js';

export const RateBucket = { SESSION_START: 'session_start', MESSAGE: 'message' } as const;
export type RateBucket = (typeof RateBucket)[keyof typeof RateBucket];

export type RateDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterMs: number };

export interface RateLimiterOptions {
  readonly sessionStartsPerMinute: number;
  readonly messagesPerMinute: number;
  /** Milliseconds from a clock that never goes backwards. */
  readonly now: () => number;
  readonly maxSenders?: number;
}

export interface RateLimiter {
  check(sender: { readonly tenant: string; readonly agent: string }, bucket: RateBucket): RateDecision;
  /** How many (sender, bucket) pairs are remembered. */
  readonly size: number;
}

const WINDOW_MS = 60_000;
const DEFAULT_MAX_SENDERS = fixedLimits.rememberedSenders.value;
const FIRST_CAPACITY = 8;
const ALLOWED: RateDecision = { allowed: true };

export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { sessionStartsPerMinute, messagesPerMinute, now, maxSenders = DEFAULT_MAX_SENDERS } = options;
  const starts = new Bucket(sessionStartsPerMinute, maxSenders);
  const messages = new Bucket(messagesPerMinute, maxSenders);
  return {
    check({ tenant, agent }, bucket) {
      // Neither part can contain a control character, so the joint is unambiguous.
      const key = `${tenant}\u0000${agent}`;
      return (bucket === RateBucket.SESSION_START ? starts : messages).check(key, now());
    },
    get size() {
      return starts.size + messages.size;
    },
  };
}

/** One window for any kind of sender; its keys are the caller's. */
export class Bucket {
  readonly #limit: number;
  readonly #maxSenders: number;
  /** In order of last use: the first is the one idle longest. */
  readonly #rings = new Map<string, Ring>();

  constructor(limit: number, maxSenders: number = DEFAULT_MAX_SENDERS) {
    this.#limit = limit;
    this.#maxSenders = maxSenders;
  }

  get size(): number {
    return this.#rings.size;
  }

  check(key: string, now: number): RateDecision {
    const ring = this.#rings.get(key) ?? new Ring(this.#limit);
    this.#rings.delete(key);
    this.#rings.set(key, ring);
    this.#forgetIdle(now);
    const retryAfterMs = ring.admit(now);
    return retryAfterMs === 0 ? ALLOWED : { allowed: false, retryAfterMs };
  }

  /** At most two per check: one for the sender that came, one more so that the number shrinks after a burst. */
  #forgetIdle(now: number): void {
    for (let count = 0; count < 2; count += 1) {
      const [first] = this.#rings;
      if (first === undefined) return;
      const [key, ring] = first;
      if (this.#rings.size <= this.#maxSenders && !ring.idle(now)) return;
      if (this.#rings.size > 1) this.#rings.delete(key);
    }
  }
}

class Ring {
  readonly #limit: number;
  #times: Float64Array;
  #count = 0;
  #next = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
    this.#times = new Float64Array(Math.min(limit, FIRST_CAPACITY));
  }

  idle(now: number): boolean {
    return now - this.#last >= WINDOW_MS;
  }

  /** 0: admitted and remembered. Else the time to wait. */
  admit(now: number): number {
    const full = this.#count === this.#limit;
    const oldest = this.#times[this.#next] ?? 0;
    if (full && now - oldest < WINDOW_MS)
      return Math.min(WINDOW_MS, Math.max(1, Math.ceil(oldest + WINDOW_MS - now)));
    if (!full && this.#count === this.#times.length) this.#grow();
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % this.#times.length;
    if (!full) this.#count += 1;
    this.#last = now;
    return 0;
  }

  /** Only ever while no time has been overwritten, so the order in the array is the order of arrival. */
  #grow(): void {
    const larger = new Float64Array(Math.min(this.#limit, this.#times.length * 2));
    larger.set(this.#times);
    this.#next = this.#times.length;
    this.#times = larger;
  }
}
