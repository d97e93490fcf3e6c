/** What is checked before anything is asked of the engine: the same limits and capabilities as at the MACP doors. */
import { HANDOFF_MODE, type Rejection, RejectionCode, reject, rejectWith } from '@handover/core';
import type { Answer, Submission } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { RateBucket } from '../../auth/rate-limiter.js';
import type { DeskParts } from './dependencies.js';

export function rateFlaw(
  parts: DeskParts,
  who: Principal,
  bucket: RateBucket = RateBucket.MESSAGE,
): Rejection | undefined {
  const decision = parts.limiter.check(who, bucket);
  if (decision.allowed) return undefined;
  const { retryAfterMs } = decision;
  parts.metrics.rateLimited(bucket);
  parts.audit.quotaHit({ actor: who, quota: bucket, retryAfterMs });
  const message = `too many requests; try again in ${retryAfterMs} ms`;
  return rejectWith(RejectionCode.RATE_LIMITED, message, { retryAfterMs });
}

export function modeFlaw({ allowedModes }: Principal): Rejection | undefined {
  if (!allowedModes || allowedModes.has(HANDOFF_MODE)) return undefined;
  return reject(RejectionCode.FORBIDDEN, 'this identity may not use Handoff Mode');
}

export function startFlaw(who: Principal): Rejection | undefined {
  if (!who.canStartSessions) return reject(RejectionCode.FORBIDDEN, 'this identity may not start sessions');
  return modeFlaw(who);
}

/** Submits, and notes refusals that concern authority. */
export async function submit(
  parts: DeskParts,
  who: Principal,
  action: string,
  submission: Submission,
): Promise<Answer> {
  const answer = await parts.engine.submit(submission);
  if (!answer.ok) {
    const { code } = answer.rejection;
    if (code === RejectionCode.FORBIDDEN || code === RejectionCode.POLICY_DENIED)
      parts.audit.authorizationFailed({ actor: who, action, code });
  }
  return answer;
}
