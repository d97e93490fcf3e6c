/** Requests that the work move: by its owner, by one for whom it was left (W6), and by one that takes it over (W7). */

import { accepted, type Decision, rejected, type Stamp } from '../decider.js';
import type { Codec } from '../envelope/codec.js';
import { NO_PAYLOAD } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { OPERATOR } from '../log/runtime-draft.js';
import { type Rejection, RejectionCode, reject, rejectWith } from '../rejection.js';
import { shellLine } from '../shell-line.js';
import { named } from '../text.js';
import type { WorklogCommand } from './command.js';
import { draft } from './draft.js';
import { WorklogEntryType } from './entry-type.js';
import { notFound, repeated, roomFlaw, statusFlaw, underWayFlaw } from './flaws.js';
import { liveInstruction, mayPickUp } from './parked.js';
import { idOf } from './refusals.js';
import { RequestType, type WorklogState, WorklogStatus } from './state.js';
import { graceFlaw, policyText, silentSince, type TakeOver } from './take-over.js';

type Request = Extract<WorklogCommand, { readonly kind: 'requestHandoff' }>;
type Ending = Extract<WorklogCommand, { readonly kind: 'handoffEnded' }>;

/** By its owner; that it may write at all has been checked. */
export function decideRequest(state: WorklogState, command: Request, stamp: Stamp): Decision {
  if (stamp.agent !== state.owner)
    return rejected(reject(RejectionCode.FORBIDDEN, 'only the owner may hand over'));
  const flaw = targetFlaw(state, command);
  return flaw ? rejected(flaw) : requested(command, stamp, {});
}

/** By somebody else. It need not be able to read the working session: the instruction or the policy lets it. */
export function decideTaking(state: WorklogState, command: Request, stamp: Stamp, codec: Codec): Decision {
  if (state.status === WorklogStatus.Purged) return rejected(notFound());
  if (stamp.seen) return repeated(command.payload, stamp, codec);
  return command.takeOver
    ? takenOver(state, command, command.takeOver, stamp)
    : pickedUp(state, command, stamp);
}

function pickedUp(state: WorklogState, command: Request, stamp: Stamp): Decision {
  const live = liveInstruction(state, stamp.at);
  if (live && (!mayPickUp(live, command.target) || command.target !== stamp.agent))
    return rejected(notFound());
  const flaw =
    statusFlaw(state) ??
    (live?.seq === command.standing ? undefined : notLeft(state)) ??
    roomFlaw(state) ??
    targetFlaw(state, command) ??
    offeredFlaw(state, command) ??
    (live?.requestType === command.requestType ? undefined : otherRequest(live?.requestType));
  return flaw ? rejected(flaw) : requested(command, stamp, { standing: command.standing ?? 0 });
}

/** Why it cannot be taken over now: what the request would be answered. */
export function takeOverFlaw(
  state: WorklogState,
  command: Pick<Request, 'target' | 'requestType'>,
  takeOver: TakeOver,
  at: number,
): Rejection | undefined {
  return (
    statusFlaw(state) ??
    (takeOver.from === state.owner ? undefined : notLeft(state)) ??
    roomFlaw(state) ??
    (command.requestType === RequestType.FullHandoff ? undefined : otherRequest(RequestType.FullHandoff)) ??
    (command.target === state.owner ? hasItAlready(state) : undefined) ??
    offeredAway(state, command) ??
    graceFlaw(state, takeOver, at)
  );
}

function takenOver(state: WorklogState, command: Request, takeOver: TakeOver, stamp: Stamp): Decision {
  const { from, lastSignAt, policy } = takeOver;
  const flaw = takeOverFlaw(state, command, takeOver, stamp.at);
  if (flaw) return rejected(flaw);
  return requested(command, stamp, {
    authority: OPERATOR,
    from,
    silent_since: silentSince(state, lastSignAt),
    policy: policyText(policy),
  });
}

function targetFlaw(
  state: WorklogState,
  { target, requestType }: Pick<Request, 'target' | 'requestType'>,
): Rejection | undefined {
  if (target === state.owner)
    return reject(RejectionCode.VALIDATION_ERROR, 'targetAgent is already the owner');
  return requestType === RequestType.FullHandoff ? underWayFlaw(state) : undefined;
}

/** What is offered is accepted, not picked up. */
function offeredFlaw({ pending }: WorklogState, { target, requestType }: Request): Rejection | undefined {
  const offered = pending.find((known) => known.target === target && known.requestType === requestType);
  if (!offered) return undefined;
  return rejectWith(RejectionCode.CONFLICT, 'it is offered to you; accept the offer', {
    handoffId: idOf(offered),
  });
}

/** Whoever takes over cannot withdraw what another offered; a person can. */
function offeredAway(
  { pending, key }: WorklogState,
  { target }: Pick<Request, 'target'>,
): Rejection | undefined {
  const full = pending.find(({ requestType }) => requestType === RequestType.FullHandoff);
  if (!full) return undefined;
  const message = `its owner offered it to ${named(full.target)}, and that stands until it is answered or over. A person can give it to you before: ${shellLine('take', [key], [['--to', target], ['--now']])}`;
  return rejectWith(RejectionCode.CONFLICT, message, { handoffId: idOf(full) });
}

const notLeft = ({ owner }: WorklogState): Rejection =>
  rejectWith(RejectionCode.CONFLICT, `it is no longer there to be taken: ${named(owner)} has it now`, {
    owner,
  });

const hasItAlready = ({ owner }: WorklogState): Rejection =>
  rejectWith(RejectionCode.VALIDATION_ERROR, `${named(owner)} has it already; there is nothing to take`, {
    owner,
  });

const otherRequest = (requestType: string | undefined): Rejection =>
  reject(RejectionCode.VALIDATION_ERROR, `requestType must be ${requestType}`);

function requested(command: Request, stamp: Stamp, more: JsonObject): Decision {
  const { sessionId, handoffId, target, requestType, upTo, rule } = command;
  const facts = {
    session_id: sessionId,
    handoff_id: handoffId,
    target,
    request_type: requestType,
    up_to: upTo,
    ...(rule && { commit: rule.commit, chosen: rule.chosen }),
    ...more,
  };
  return accepted(draft(WorklogEntryType.HandoffRequested, stamp, facts, command.payload));
}

/** Ends what is pending and moves what was handed over; a second ending of the same handoff appends nothing. */
export function decideEnding(state: WorklogState, { sessionId, outcome }: Ending, stamp: Stamp): Decision {
  const pending = state.pending.find((known) => known.sessionId === sessionId);
  if (!pending) return accepted();
  const { handoffId, target, requestType } = pending;
  const facts = { session_id: sessionId, handoff_id: handoffId, target, request_type: requestType, outcome };
  return accepted(draft(WorklogEntryType.HandoffEnded, stamp, facts, NO_PAYLOAD));
}
