/** What stands against a request, whatever kind it is. */
import { type Decision, rejected, type Stamp } from '../decider.js';
import type { Codec } from '../envelope/codec.js';
import { MAX_ENTRIES_PER_STREAM } from '../log/entry.js';
import { type Rejection, RejectionCode, reject, rejectWith } from '../rejection.js';
import { idOf } from './refusals.js';
import { RequestType, statusOf, type WorklogState, WorklogStatus } from './state.js';

/** Places kept for endings of handoffs and of the working session itself. */
const ROOM_FOR_ENDINGS = 1_000;

export const notFound = (): Rejection => reject(RejectionCode.SESSION_NOT_FOUND, 'Session not found');

/** The same message id again: the first answer, if it is the same request. */
export function repeated(payload: Uint8Array, { seen, agent }: Stamp, codec: Codec): Decision {
  if (seen?.actor === agent && codec.sha256(seen.salt, payload) === seen.payloadHash)
    return { kind: 'duplicate', acceptedAt: seen.at, seq: seen.seq };
  return rejected(
    reject(RejectionCode.CONFLICT, 'the idempotency key was already used for a different request'),
  );
}

export function statusFlaw(state: WorklogState): Rejection | undefined {
  if (state.status === WorklogStatus.Active) return undefined;
  return rejectWith(RejectionCode.SESSION_EXPIRED, 'Session is not active', {
    currentStatus: statusOf(state),
  });
}

export function roomFlaw({ seq }: WorklogState): Rejection | undefined {
  if (seq < MAX_ENTRIES_PER_STREAM - ROOM_FOR_ENDINGS) return undefined;
  return reject(
    RejectionCode.CONFLICT,
    `the session is full (${seq} entries); register a new one and hand it over`,
  );
}

export function sequenceFlaw(state: WorklogState, expected: number | undefined): Rejection | undefined {
  if (expected === undefined || expected === state.lastNumber) return undefined;
  const message = `expectedSequence is ${expected}, but the last entry is ${state.lastNumber}`;
  return rejectWith(RejectionCode.CONFLICT, message, { currentSequence: state.lastNumber });
}

/** At most one full handoff is under way. */
export function underWayFlaw({ pending }: WorklogState): Rejection | undefined {
  const full = pending.find(({ requestType }) => requestType === RequestType.FullHandoff);
  if (!full) return undefined;
  const message = `a full handoff to ${full.target} is under way; cancelHandoff withdraws it, and without an answer it ends by itself when its time is over`;
  return rejectWith(RejectionCode.CONFLICT, message, { handoffId: idOf(full) });
}
