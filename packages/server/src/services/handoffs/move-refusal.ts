/** Why a move was refused, in words for assistants: what has become of the handoff, and what helps now. */
import { type Rejection, RejectionCode, rejectWith, type SessionState, SessionStatus } from '@handover/core';
import type { FoundHandoff } from './find-handoff.js';
import type { HandoffView } from './types.js';

/** True when it is refused for what has become of the handoff, and not for who asks. */
export function isAboutState({ code }: Rejection): boolean {
  return code === RejectionCode.INVALID_ENVELOPE || code === RejectionCode.SESSION_NOT_OPEN;
}

/** The rules word a refusal for envelopes. An assistant first needs to know the phase of the handoff. */
export function moveRefusal(
  tool: string,
  { session }: FoundHandoff,
  view: HandoffView,
  { message }: Rejection,
): Rejection {
  const { handoffId, phase } = view;
  const isAnswer = tool === 'acceptHandoff' || tool === 'declineHandoff';
  if (session.status !== SessionStatus.Open || (isAnswer && phase !== 'offered'))
    return notPending(view, session);
  const isWrong = tool === 'commitHandoff' && phase !== 'offered';
  const asked = isWrong ? RejectionCode.VALIDATION_ERROR : RejectionCode.CONFLICT;
  return rejectWith(asked, message, { handoffId, phase });
}

/** As its caller sees it: the view says what can be done. */
export function notPending(
  { handoffId, phase, status, instruction }: HandoffView,
  session?: Pick<SessionState, 'status'>,
): Rejection {
  const state = session?.status === SessionStatus.Suspended ? 'suspended' : phase;
  const message = `the handoff is ${state}. ${instruction}`;
  return rejectWith(RejectionCode.CONFLICT, message, { handoffId, phase, status });
}
