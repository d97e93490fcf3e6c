/** Why an agent that knows of a working session may not write to it. */
import { type Rejection, RejectionCode, reject, rejectWith } from '../rejection.js';
import { type PendingHandoff, RequestType, type WorklogState } from './state.js';

/** Handoff ids as they stand in `<session>:<handoff>`: percent-encoded, so that the colon is unambiguous. */
export const encodeId = (id: string): string => encodeURIComponent(id);

export const idOf = ({ sessionId, handoffId }: PendingHandoff): string =>
  `${sessionId}:${encodeId(handoffId)}`;

/** To the target of a pending offer; to anybody else nothing. */
export function offeredRefusal({ pending, owner }: WorklogState, agent: string): Rejection | undefined {
  const offered = pending.findLast(({ target }) => target === agent);
  if (!offered) return undefined;
  const message =
    offered.requestType === RequestType.ContextTransfer
      ? `not yours to write to: ${owner} offers you its context to read, and keeps the work`
      : `not yours before ${owner} commits`;
  return rejectWith(RejectionCode.FORBIDDEN, message, { handoffId: idOf(offered) });
}

/**
 * To one that may read. Only who registered it is known to have given it away; others may have read it all the time.
 */
export function writeRefusal(state: WorklogState, agent: string): Rejection {
  const { agentFrom, owner } = state;
  const message =
    agent === agentFrom
      ? `the working session belongs to ${owner} now`
      : `the working session is ${owner}'s; you may read it, but not write to it`;
  return offeredRefusal(state, agent) ?? reject(RejectionCode.FORBIDDEN, message);
}
