/** Why a move was refused, in words for assistants. */
import { type Rejection, RejectionCode, rejectWith, SessionStatus } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { HandoffDependencies } from './dependencies.js';
import { type FoundHandoff, findHandoff, handoffNotFound } from './find-handoff.js';
import { phaseOf, statusOfPhase } from './handoff-phase.js';

/** The rules word a refusal for envelopes. An assistant first needs to know the phase of the handoff. */
export async function moveRefusal(
  deps: HandoffDependencies,
  principal: Principal,
  tool: string,
  handoffId: string,
  rejection: Rejection,
): Promise<Rejection> {
  const { code, message } = rejection;
  if (code !== RejectionCode.INVALID_ENVELOPE && code !== RejectionCode.SESSION_NOT_OPEN) return rejection;
  const now = await findHandoff(deps, principal, handoffId);
  if (!now) return handoffNotFound(handoffId);
  const phase = phaseOf(now);
  const isAnswer = tool === 'acceptHandoff' || tool === 'declineHandoff';
  if (now.session.status !== SessionStatus.Open || (isAnswer && phase !== 'offered'))
    return notPending(handoffId, now);
  const isWrong = tool === 'commitHandoff' && phase !== 'offered';
  const asked = isWrong ? RejectionCode.VALIDATION_ERROR : RejectionCode.CONFLICT;
  return rejectWith(asked, message, { handoffId, phase });
}

export function notPending(handoffId: string, found: FoundHandoff): Rejection {
  const phase = phaseOf(found);
  const state = found.session.status === SessionStatus.Suspended ? 'suspended' : phase;
  const message = `the handoff is ${state}; read it with getHandoff to see what can be done`;
  return rejectWith(RejectionCode.CONFLICT, message, { handoffId, phase, status: statusOfPhase(phase) });
}
