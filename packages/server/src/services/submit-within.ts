/** Submits in a principal's name, within its quotas: what quotas.ts says is done here, once for all doors. */
import type { Answer, Kinds, Submission } from '@handover/engine';
import type { Principal } from '../auth/principal.js';
import { RateBucket } from '../auth/rate-limiter.js';
import type { ServiceDependencies } from './dependencies.js';
import { countIdle } from './rate-flaw.js';

type Parts = Pick<ServiceDependencies, 'engine' | 'limiter' | 'bytes'>;

/** The rate is asked before, by `rateFlaw`: the protocol has other questions in between. */
export async function submitWithin<const Ks extends Kinds>(
  deps: Parts,
  principal: Principal,
  bucket: RateBucket,
  submission: Submission<Ks>,
): Promise<Answer<Ks>> {
  if (bucket === RateBucket.ANSWER) {
    const answer = await deps.engine.submit(submission);
    if (isIdle(answer)) countIdle(deps, principal, bucket);
    return answer;
  }
  return deps.bytes.within(principal, submission.bytes, (refuseNew) =>
    deps.engine.submit(refuseNew ? { ...submission, refuseNew } : submission),
  );
}

function isIdle(answer: Answer): boolean {
  return !answer.ok || answer.results.every(({ entries }) => entries.length === 0);
}
