/** The one limit of a principal, whatever door it comes through. */
import { type Rejection, RejectionCode, rejectWith } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { RateBucket } from '../../auth/rate-limiter.js';
import type { OperationDependencies } from './dependencies.js';

export function rateFlaw(deps: OperationDependencies, principal: Principal): Rejection | undefined {
  const decision = deps.limiter.check(principal, RateBucket.MESSAGE);
  if (decision.allowed) return undefined;
  const { retryAfterMs } = decision;
  deps.metrics.rateLimited(RateBucket.MESSAGE);
  deps.audit.quotaHit({ actor: principal, quota: RateBucket.MESSAGE, retryAfterMs });
  return rejectWith(RejectionCode.RATE_LIMITED, `too many requests; try again in ${retryAfterMs} ms`, {
    retryAfterMs,
  });
}
