import type { DecideContext } from '../decider.js';
import { type Rejection, RejectionCode, reject } from '../rejection.js';
import type { SessionState } from '../session/state.js';

/** An initiator that no longer owns the work cannot give it away. */
export function ownershipFlaw(
  session: SessionState,
  consulted: DecideContext['consulted'],
): Rejection | undefined {
  if (!session.binding) return undefined;
  if (consulted.worklog?.owner === session.initiator) return undefined;
  const reason = `${session.initiator} no longer owns the working session`;
  return reject(RejectionCode.POLICY_DENIED, 'the initiator no longer owns what is being handed over', [
    reason,
  ]);
}
