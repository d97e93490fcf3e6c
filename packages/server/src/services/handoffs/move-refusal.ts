/** Why a move was refused, in words for assistants: what has become of the handoff, and what helps now. */
import {
  named,
  type Rejection,
  RejectionCode,
  rejectWith,
  type SessionState,
  SessionStatus,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { FoundHandoff } from './find-handoff.js';
import { phaseOf } from './handoff-phase.js';
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

/** A move that is another's: whose, and what this caller can do. */
export function whoMay(
  { agent }: Pick<Principal, 'agent'>,
  tool: string,
  found: FoundHandoff | undefined,
  rejection: Rejection,
): Rejection {
  if (!found || rejection.code !== RejectionCode.FORBIDDEN) return rejection;
  const { offeredBy, target } = found.offer;
  const isAnswer = tool === 'acceptHandoff' || tool === 'declineHandoff';
  if (isAnswer && agent === offeredBy) {
    const message = `only ${named(target)}, to whom you offered it, may answer it; cancelHandoff withdraws it`;
    return { ...rejection, message };
  }
  if (tool !== 'commitHandoff' || agent !== target) return rejection;
  const accept = phaseOf(found) === 'offered' ? '; resume {handoffId, accept: true} is your answer' : '';
  return { ...rejection, message: `${named(offeredBy)}, who offered it, commits it${accept}` };
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
