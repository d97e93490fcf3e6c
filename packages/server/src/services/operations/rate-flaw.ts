/** The one limit of a principal, whatever door it comes through. */
import { type Rejection, RejectionCode, rejectWith } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { RateBucket } from '../../auth/rate-limiter.js';
import type { OperationParts } from './dependencies.js';

export function rateFlaw(parts: OperationParts, who: Principal): Rejection | undefined {
  const decision = parts.limiter.check(who, RateBucket.MESSAGE);
  if (decision.allowed) return undefined;
  const { retryAfterMs } = decision;
  parts.metrics.rateLimited(RateBucket.MESSAGE);
  parts.audit.quotaHit({ actor: who, quota: RateBucket.MESSAGE, retryAfterMs });
  return rejectWith(RejectionCode.RATE_LIMITED, `too many requests; try again in ${retryAfterMs} ms`, {
    retryAfterMs,
  });
}
