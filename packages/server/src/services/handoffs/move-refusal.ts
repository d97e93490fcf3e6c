/** Why a move was refused, in words for assistants. */
import { type Rejection, RejectionCode, rejectWith, SessionStatus } from '@handover/core';
import type { FoundHandoff } from './find-handoff.js';
import { phaseOf, statusOfPhase } from './handoff-phase.js';

/** True when it is refused for what has become of the handoff, and not for who asks. */
export function isAboutState({ code }: Rejection): boolean {
  return code === RejectionCode.INVALID_ENVELOPE || code === RejectionCode.SESSION_NOT_OPEN;
}

/** The rules word a refusal for envelopes. An assistant first needs to know the phase of the handoff. */
export function moveRefusal(
  tool: string,
  handoffId: string,
  now: FoundHandoff,
  { message }: Rejection,
): Rejection {
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
