/** What is checked before anything is asked of the engine: the same limits and capabilities as at the MACP doors. */
import { HANDOFF_MODE, type Rejection, RejectionCode, reject } from '@handover/core';
import type { Answer, Kinds, Submission } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { HANDOFF_QUOTAS, type HandoffTool } from '../quotas.js';
import { submitWithin } from '../submit-within.js';
import type { HandoffDependencies } from './dependencies.js';

export function modeFlaw({ allowedModes }: Principal): Rejection | undefined {
  if (!allowedModes || allowedModes.has(HANDOFF_MODE)) return undefined;
  return reject(RejectionCode.FORBIDDEN, 'this identity may not use Handoff Mode');
}

export function startFlaw(principal: Principal): Rejection | undefined {
  if (!principal.canStartSessions)
    return reject(RejectionCode.FORBIDDEN, 'this identity may not start sessions');
  return modeFlaw(principal);
}

/** Submits within the quotas of the tool, and writes refusals that concern authority to the security log. */
export async function submit<const Ks extends Kinds>(
  deps: HandoffDependencies,
  principal: Principal,
  action: HandoffTool,
  submission: Submission<Ks>,
): Promise<Answer<Ks>> {
  const answer = await submitWithin(deps, principal, HANDOFF_QUOTAS[action], submission);
  if (!answer.ok) {
    const { code } = answer.rejection;
    if (code === RejectionCode.FORBIDDEN || code === RejectionCode.POLICY_DENIED)
      deps.audit.authorizationFailed({ actor: principal, action, code });
  }
  return answer;
}
