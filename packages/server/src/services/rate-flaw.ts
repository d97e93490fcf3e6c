/** A principal has one rate limit for all doors. A refusal is counted and written to the security log. */
import { type Rejection, RejectionCode, rejectWith } from '@handover/core';
import type { Principal } from '../auth/principal.js';
import { RateBucket } from '../auth/rate-limiter.js';
import type { ServiceDependencies } from './dependencies.js';

export function rateFlaw(
  { limiter, metrics, audit }: Pick<ServiceDependencies, 'limiter' | 'metrics' | 'audit'>,
  principal: Principal,
  bucket: RateBucket = RateBucket.MESSAGE,
): Rejection | undefined {
  const decision = limiter.check(principal, bucket);
  if (decision.allowed) return undefined;
  const { retryAfterMs } = decision;
  metrics.rateLimited(bucket);
  audit.quotaHit({ actor: principal, quota: bucket, retryAfterMs });
  const message = `too many requests; try again in ${retryAfterMs} ms`;
  return rejectWith(RejectionCode.RATE_LIMITED, message, { retryAfterMs });
}
