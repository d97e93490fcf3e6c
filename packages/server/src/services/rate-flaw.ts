/** A principal has one rate limit for all doors. A refusal is counted and written to the security log. */
import { type Rejection, RejectionCode, rejectWith } from '@handover/core';
import type { Principal } from '../auth/principal.js';
import { RateBucket, type RateDecision } from '../auth/rate-limiter.js';
import type { ServiceDependencies } from './dependencies.js';

const COUNTED: Readonly<Record<RateBucket, { readonly what: string; readonly setting: string }>> = {
  [RateBucket.SESSION_START]: { what: 'session starts', setting: 'MACP_SESSION_START_LIMIT_PER_MINUTE' },
  [RateBucket.MESSAGE]: { what: 'messages and requests', setting: 'MACP_MESSAGE_LIMIT_PER_MINUTE' },
  [RateBucket.ANSWER]: { what: 'answers that changed nothing', setting: 'MACP_MESSAGE_LIMIT_PER_MINUTE' },
};

/** Takes a place in a bucket, or several. An answer takes none: it is counted afterwards, if it turns out to be idle. */
export function rateFlaw(
  { limiter, metrics, audit }: Pick<ServiceDependencies, 'limiter' | 'metrics' | 'audit'>,
  principal: Principal,
  bucket: RateBucket = RateBucket.MESSAGE,
  places = 1,
): Rejection | undefined {
  return bucket === RateBucket.ANSWER
    ? fullFlaw({ limiter, metrics, audit }, principal, bucket)
    : flawOf({ limiter, metrics, audit }, principal, bucket, limiter.check(principal, bucket, places));
}

/** Takes no place: of what may yet come to nothing, before it is begun. */
export const fullFlaw = (
  deps: Pick<ServiceDependencies, 'limiter' | 'metrics' | 'audit'>,
  principal: Principal,
  bucket: RateBucket,
): Rejection | undefined => flawOf(deps, principal, bucket, deps.limiter.peek(principal, bucket));

function flawOf(
  { limiter, metrics, audit }: Pick<ServiceDependencies, 'limiter' | 'metrics' | 'audit'>,
  principal: Principal,
  bucket: RateBucket,
  decision: RateDecision,
): Rejection | undefined {
  if (decision.allowed) return undefined;
  const { retryAfterMs } = decision;
  metrics.rateLimited(bucket);
  audit.quotaHit({ actor: principal, quota: bucket, retryAfterMs });
  const { what, setting } = COUNTED[bucket];
  const message = `more than ${limiter.limit(bucket)} ${what} in 60 seconds, the limit of ${setting}; try again in ${retryAfterMs} ms`;
  return rejectWith(RejectionCode.RATE_LIMITED, message, { retryAfterMs });
}

/** Of an answer alone: doors count everything else when it comes. */
export function answerFlaw(
  deps: Pick<ServiceDependencies, 'limiter' | 'metrics' | 'audit'>,
  principal: Principal,
  bucket: RateBucket,
): Rejection | undefined {
  return bucket === RateBucket.ANSWER ? rateFlaw(deps, principal, bucket) : undefined;
}

/** Counts an answer that changed nothing. Other requests were counted when they came. */
export function countIdle(
  { limiter }: Pick<ServiceDependencies, 'limiter'>,
  principal: Principal,
  bucket: RateBucket,
): void {
  if (bucket === RateBucket.ANSWER) limiter.check(principal, bucket);
}
