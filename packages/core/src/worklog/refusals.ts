/** Why an agent that knows of a working session may not write to it. */

import { formatTimestamp } from '../envelope/json/rfc3339.js';
import { OPERATOR } from '../log/runtime-draft.js';
import { type Rejection, RejectionCode, reject, rejectWith } from '../rejection.js';
import { named } from '../text.js';
import { hasGivenAway } from './note-session.js';
import { type PendingHandoff, RequestType, readableUpTo, type Taken, type WorklogState } from './state.js';

/** Handoff ids as they stand in `<session>:<handoff>`: percent-encoded, so that the colon is unambiguous. */
export const encodeId = (id: string): string => encodeURIComponent(id);

export const idOf = ({ sessionId, handoffId }: Pick<PendingHandoff, 'sessionId' | 'handoffId'>): string =>
  `${sessionId}:${encodeId(handoffId)}`;

/** To the target of a pending offer; to anybody else nothing. */
export function offeredRefusal({ pending, owner }: WorklogState, agent: string): Rejection | undefined {
  const offered = pending.findLast(({ target }) => target === agent);
  if (!offered) return undefined;
  const message =
    offered.requestType === RequestType.ContextTransfer
      ? `not yours to write to: ${named(owner)} offers you its context to read, and keeps the work`
      : `not yours before ${named(owner)} commits`;
  return rejectWith(RejectionCode.FORBIDDEN, message, { handoffId: idOf(offered) });
}

/** To one that may read: it had the work, or it was only given it to read. */
export function writeRefusal(state: WorklogState, agent: string): Rejection {
  const { owner, taken } = state;
  if (taken?.from === agent) return offeredRefusal(state, agent) ?? takenRefusal(state, taken);
  const message = hasGivenAway(state, agent)
    ? `the working session belongs to ${named(owner)} now. ${wayOut(state)}`
    : `the working session is ${named(owner)}'s; you may read it up to entry ${readableUpTo(state, agent) ?? 0}, but not write to it`;
  return offeredRefusal(state, agent) ?? reject(RejectionCode.FORBIDDEN, message);
}

/** How one that has no right to write any more can still say something. */
const wayOut = ({ owner, key }: WorklogState): string =>
  `Send what it should know with handOff {to: ${JSON.stringify(owner)}, requestType: "context_transfer", sessionKey: ${JSON.stringify(key)}}`;

function takenRefusal(state: WorklogState, taken: Taken): Rejection {
  const { owner } = state;
  const takenAt = formatTimestamp(taken.at) ?? '';
  const silentSince = formatTimestamp(taken.silentSince) ?? '';
  const message = `${named(owner)} took this session over at ${takenAt}; you were silent since ${silentSince}. ${wayOut(state)}`;
  const details = { owner, takenAt, silentSince, handoffId: idOf(taken), authority: OPERATOR };
  return rejectWith(RejectionCode.FORBIDDEN, message, details);
}
