/**
 * A sliding window per sender: at most `limit` requests in any 60 seconds, exactly, for each bucket.
 *
 * R1. Per (tenant, agent) as the credential says, never per address or per what the envelope claims.
 * R2. O(1) per check: the ring of a sender holds its last `limit` admitted times; the oldest of them decides.
 * R3. A refused request takes no budget.
 * R3a. A request that costs more may take several places at once, all of them or none; never more than there are.
 * R4. Memory is bounded: rings grow with use, senders idle for a window are forgotten, and beyond `maxSenders` the one
 *     idle longest is. A forgotten sender may be admitted too often; the queue's own bounds still hold.
 */
import { fixedLimits } from '../config/fixed-limits.js';

export const RateBucket = {
  SESSION_START: 'session_start',
  MESSAGE: 'message',
  /** Answers that changed nothing: see services/quotas.ts. As large as the one of messages. */
  ANSWER: 'answer',
} as const;
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

interface Sender {
  readonly tenant: string;
  readonly agent: string;
}

export interface RateLimiter {
  /** Takes a place if there is one, or as many as are asked for. */
  check(sender: Sender, bucket: RateBucket, places?: number): RateDecision;
  /** Whether there is a place, without taking it. */
  peek(sender: Sender, bucket: RateBucket): RateDecision;
  /** Of a bucket, in any 60 seconds. */
  limit(bucket: RateBucket): number;
  /** How many (sender, bucket) pairs are remembered. */
  readonly size: number;
}

const WINDOW_MS = 60_000;
const DEFAULT_MAX_SENDERS = fixedLimits.rememberedSenders.value;
const FIRST_CAPACITY = 8;
const ALLOWED: RateDecision = { allowed: true };

export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { sessionStartsPerMinute, messagesPerMinute, now, maxSenders = DEFAULT_MAX_SENDERS } = options;
  const buckets: Readonly<Record<RateBucket, Bucket>> = {
    [RateBucket.SESSION_START]: new Bucket(sessionStartsPerMinute, maxSenders),
    [RateBucket.MESSAGE]: new Bucket(messagesPerMinute, maxSenders),
    [RateBucket.ANSWER]: new Bucket(messagesPerMinute, maxSenders),
  };
  return {
    check: (sender, bucket, places) => buckets[bucket].check(keyOf(sender), now(), places),
    limit: (bucket) => buckets[bucket].limit,
    peek: (sender, bucket) => buckets[bucket].peek(keyOf(sender), now()),
    get size() {
      return Object.values(buckets).reduce((sum, { size }) => sum + size, 0);
    },
  };
}

/** Neither part can contain a control character, so the joint is unambiguous. */
function keyOf({ tenant, agent }: Sender): string {
  return `${tenant}\u0000${agent}`;
}

function decisionOf(retryAfterMs: number): RateDecision {
  return retryAfterMs === 0 ? ALLOWED : { allowed: false, retryAfterMs };
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

  get limit(): number {
    return this.#limit;
  }

  get size(): number {
    return this.#rings.size;
  }

  check(key: string, now: number, places = 1): RateDecision {
    const ring = this.#rings.get(key) ?? new Ring(this.#limit);
    this.#rings.delete(key);
    this.#rings.set(key, ring);
    this.#forgetIdle(now);
    return decisionOf(ring.admit(now, Math.min(places, this.#limit)));
  }

  peek(key: string, now: number): RateDecision {
    return decisionOf(this.#rings.get(key)?.wait(now) ?? 0);
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

  /** How long until so many would be admitted; 0: now. */
  wait(now: number, places = 1): number {
    const over = this.#count + places - this.#limit;
    if (over <= 0) return 0;
    const oldest = this.#count === this.#limit ? this.#next : 0;
    const leaving = this.#times[(oldest + over - 1) % this.#times.length] ?? 0;
    if (now - leaving >= WINDOW_MS) return 0;
    return Math.min(WINDOW_MS, Math.max(1, Math.ceil(leaving + WINDOW_MS - now)));
  }

  /** 0: admitted and remembered. Else the time to wait. */
  admit(now: number, places: number): number {
    const wait = this.wait(now, places);
    if (wait > 0) return wait;
    for (let taken = 0; taken < places; taken++) this.#remember(now);
    return 0;
  }

  #remember(now: number): void {
    const full = this.#count === this.#limit;
    if (!full && this.#count === this.#times.length) this.#grow();
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % this.#times.length;
    if (!full) this.#count += 1;
    this.#last = now;
  }

  /** Only ever while no time has been overwritten, so the order in the array is the order of arrival. */
  #grow(): void {
    const larger = new Float64Array(Math.min(this.#limit, this.#times.length * 2));
    larger.set(this.#times);
    this.#next = this.#times.length;
    this.#times = larger;
  }
}
