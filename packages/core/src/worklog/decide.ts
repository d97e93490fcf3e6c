/**
 * Decisions about a working session.
 *
 * W1. Only the owner and its collaborators write; only the owner hands over.
 * W2. Context entries are numbered 1..n without gap, whatever else is in the log between them.
 * W3. At most one full handoff is under way; answers and endings come from the bound session alone.
 * W4. To a stranger an existing key looks unknown, except when registering: then the key is taken. The target of a pending
 *     offer is no stranger: its inbox names the working session.
 */

import { accepted, type DecideContext, type Decision, rejected, type Stamp } from '../decider.js';
import type { Codec } from '../envelope/codec.js';
import { type Draft, MAX_ENTRIES_PER_STREAM, NO_PAYLOAD } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { runtimeMessageId } from '../log/runtime-draft.js';
import { type Rejection, RejectionCode, reject, rejectWith } from '../rejection.js';
import type { WorklogCommand } from './command.js';
import { WorklogEntryType } from './entry-type.js';
import { idOf, offeredRefusal, writeRefusal } from './refusals.js';
import {
  type Lifetimes,
  mayWrite,
  RequestType,
  readableUpTo,
  statusOf,
  type WorklogState,
  WorklogStatus,
} from './state.js';

/** Places kept for endings of handoffs and of the working session itself. */
const ROOM_FOR_ENDINGS = 1_000;

type Of<K extends WorklogCommand['kind']> = Extract<WorklogCommand, { readonly kind: K }>;

export function decideWorklog(
  state: WorklogState | undefined,
  command: WorklogCommand,
  stamp: Stamp,
  { codec }: DecideContext,
): Decision {
  if (command.kind === 'register') return register(state, command, stamp, codec);
  if (!state) return rejected(notFound());
  if (command.kind === 'handoffEnded') return handoffEnded(state, command, stamp);
  if (readableUpTo(state, stamp.agent) === undefined)
    return rejected(offeredRefusal(state, stamp.agent) ?? notFound());
  // Before the right to write: a retry gets its first answer, even if its sender has given the work away since.
  if (stamp.seen) return repeated(command.payload, stamp, codec);
  if (!mayWrite(state, stamp.agent)) return rejected(writeRefusal(state, stamp.agent));
  const flaw = activityFlaw(state) ?? sequenceFlaw(state, command.expectedSequence);
  if (flaw) return rejected(flaw);
  return command.kind === 'addContext'
    ? addContext(state, command, stamp)
    : requestHandoff(state, command, stamp);
}

const notFound = (): Rejection => reject(RejectionCode.SESSION_NOT_FOUND, 'Session not found');

/** The same key again is a conflict, unless it is the same request again (by its message id and bytes). */
function register(
  state: WorklogState | undefined,
  command: Of<'register'>,
  stamp: Stamp,
  codec: Codec,
): Decision {
  if (state) {
    if (stamp.seen?.seq === 1 && stamp.seen.actor === stamp.agent)
      return repeated(command.payload, stamp, codec);
    return rejected(reject(RejectionCode.CONFLICT, 'Session already exists'));
  }
  const facts = { id: command.id, lifetimes: lifetimeFacts(command.lifetimes) };
  return accepted(draft(WorklogEntryType.Registered, stamp, facts, command.payload));
}

function repeated(payload: Uint8Array, { seen, agent }: Stamp, codec: Codec): Decision {
  if (seen?.actor === agent && codec.sha256(seen.salt, payload) === seen.payloadHash)
    return { kind: 'duplicate', acceptedAt: seen.at, seq: seen.seq };
  return rejected(
    reject(RejectionCode.CONFLICT, 'the idempotency key was already used for a different request'),
  );
}

function activityFlaw(state: WorklogState): Rejection | undefined {
  if (state.status !== WorklogStatus.Active)
    return rejectWith(RejectionCode.SESSION_EXPIRED, 'Session is not active', {
      currentStatus: statusOf(state),
    });
  if (state.seq < MAX_ENTRIES_PER_STREAM - ROOM_FOR_ENDINGS) return undefined;
  return reject(
    RejectionCode.CONFLICT,
    `the session is full (${state.seq} entries); register a new one and hand it over`,
  );
}

function sequenceFlaw(state: WorklogState, expected: number | undefined): Rejection | undefined {
  if (expected === undefined || expected === state.lastNumber) return undefined;
  const message = `expectedSequence is ${expected}, but the last entry is ${state.lastNumber}`;
  return rejectWith(RejectionCode.CONFLICT, message, { currentSequence: state.lastNumber });
}

function addContext(state: WorklogState, command: Of<'addContext'>, stamp: Stamp): Decision {
  const changed = lifetimesDiffer(state.lifetimes, command.lifetimes);
  const facts = {
    n: state.lastNumber + 1,
    entry_id: command.entryId,
    context_type: command.contextType,
    ...(changed && { lifetimes: lifetimeFacts(command.lifetimes) }),
  };
  return accepted(draft(WorklogEntryType.ContextAdded, stamp, facts, command.payload));
}

function requestHandoff(state: WorklogState, command: Of<'requestHandoff'>, stamp: Stamp): Decision {
  const { sessionId, handoffId, target, requestType, upTo } = command;
  if (stamp.agent !== state.owner)
    return rejected(reject(RejectionCode.FORBIDDEN, 'only the owner may hand over'));
  if (target === state.owner)
    return rejected(reject(RejectionCode.VALIDATION_ERROR, 'targetAgent is already the owner'));
  const underWay = state.pending.find((pending) => pending.requestType === RequestType.FullHandoff);
  if (requestType === RequestType.FullHandoff && underWay)
    return rejected(
      rejectWith(
        RejectionCode.CONFLICT,
        `a full handoff to ${underWay.target} is under way; wait for it or cancel it`,
        {
          handoffId: idOf(underWay),
        },
      ),
    );
  const facts = {
    session_id: sessionId,
    handoff_id: handoffId,
    target,
    request_type: requestType,
    up_to: upTo,
  };
  return accepted(draft(WorklogEntryType.HandoffRequested, stamp, facts, command.payload));
}

/** Ends what is pending and moves what was handed over; a second ending of the same handoff appends nothing. */
function handoffEnded(
  state: WorklogState,
  { sessionId, outcome }: Of<'handoffEnded'>,
  stamp: Stamp,
): Decision {
  const pending = state.pending.find((known) => known.sessionId === sessionId);
  if (!pending) return accepted();
  const { handoffId, target, requestType } = pending;
  const facts = { session_id: sessionId, handoff_id: handoffId, target, request_type: requestType, outcome };
  return accepted(draft(WorklogEntryType.HandoffEnded, stamp, facts, NO_PAYLOAD));
}

function draft(type: WorklogEntryType, stamp: Stamp, facts: JsonObject, payload: Uint8Array): Draft {
  const messageId = stamp.messageId ?? runtimeMessageId(type, stamp.seq);
  return { type, v: 1, actor: stamp.agent, messageId, facts, payload };
}

export function lifetimeFacts(lifetimes: Lifetimes): JsonObject {
  const { dormantAfterMs, expireAfterMs, archiveAfterMs, purgeAfterMs } = lifetimes;
  return { dormant: dormantAfterMs, expire: expireAfterMs, archive: archiveAfterMs, purge: purgeAfterMs };
}

function lifetimesDiffer(one: Lifetimes, other: Lifetimes): boolean {
  return (
    one.dormantAfterMs !== other.dormantAfterMs ||
    one.expireAfterMs !== other.expireAfterMs ||
    one.archiveAfterMs !== other.archiveAfterMs ||
    one.purgeAfterMs !== other.purgeAfterMs
  );
}
