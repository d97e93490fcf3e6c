import type { DecideContext } from '../decider.js';
import { type Rejection, RejectionCode, reject } from '../rejection.js';
import type { SessionState } from '../session/state.js';

/** Whose work is handed over: the initiator's own, unless the operator takes it from somebody. */
export function ownerIn({ initiator, binding }: Pick<SessionState, 'initiator' | 'binding'>): string {
  return binding?.takeOver?.from ?? initiator;
}

/** Work that is no longer the owner's cannot be given away. */
export function ownershipFlaw(
  session: SessionState,
  consulted: DecideContext['consulted'],
): Rejection | undefined {
  if (!session.binding) return undefined;
  const owner = ownerIn(session);
  if (consulted.worklog?.owner === owner) return undefined;
  const reason = `${owner} no longer owns the working session`;
  return reject(RejectionCode.POLICY_DENIED, 'the initiator no longer owns what is being handed over', [
    reason,
  ]);
}
