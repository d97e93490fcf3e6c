/** What requests and endings of handoffs do to a working session. */
import type { EntryHead } from '../log/entry.js';
import type { Json } from '../log/json.js';
import { withLeftUntil } from './left-until.js';
import { noteAbout } from './note-session.js';
import { liveInstruction, unparked } from './parked.js';
import {
  CloseOutcome,
  mayWrite,
  type PendingHandoff,
  RequestType,
  type WorklogState,
  WorklogStatus,
} from './state.js';
import type { Transfer } from './transfers.js';

export function handoffRequested(state: WorklogState, { facts, at }: EntryHead): WorklogState {
  const pending = {
    sessionId: String(facts.session_id),
    handoffId: String(facts.handoff_id),
    target: String(facts.target),
    requestType: String(facts.request_type),
    upTo: Number(facts.up_to),
    ...(facts.standing !== undefined && { standing: Number(facts.standing) }),
    ...(facts.authority !== undefined && {
      takeOver: { from: String(facts.from), silentSince: Number(facts.silent_since) },
    }),
  };
  const live = liveInstruction(state, at);
  return {
    ...state,
    pending: [...state.pending, pending],
    ...(live && { leftUntil: withLeftUntil(state, live, [pending]) }),
    dormant: false,
    lastActivityAt: at,
  };
}

export function ended(state: WorklogState, { facts, at }: EntryHead): WorklogState {
  const sessionId = String(facts.session_id);
  const handoff = state.pending.find((pending) => pending.sessionId === sessionId);
  if (!handoff) return state;
  const pending = state.pending.filter((other) => other !== handoff);
  const free = { ...(endsInstruction(state, handoff, facts.outcome) ? unparked(state) : state), pending };
  return facts.outcome === 'committed'
    ? read(moved({ ...free, dormant: false, lastActivityAt: at }, handoff, at), at)
    : free;
}

/** A note that was accepted has done what it is for. */
function read(state: WorklogState, at: number): WorklogState {
  if (noteAbout(state) === undefined || state.status !== WorklogStatus.Active) return state;
  return { ...state, status: WorklogStatus.Completed, statusSince: at, outcome: CloseOutcome.Done };
}

/** Of the offer that stands beside it, an instruction outlives the expiry alone. */
function endsInstruction(
  { parked }: WorklogState,
  { target, requestType, standing }: PendingHandoff,
  outcome: Json | undefined,
): boolean {
  if (!parked || outcome === 'expired') return false;
  if (outcome === 'committed' && (requestType === RequestType.FullHandoff || standing === parked.seq))
    return true;
  return parked.takers[0] === target && parked.requestType === requestType;
}

function moved(state: WorklogState, handoff: PendingHandoff, at: number): WorklogState {
  const { target, requestType, upTo, sessionId, handoffId } = handoff;
  switch (requestType) {
    case RequestType.FullHandoff: {
      // The old owner keeps what it could read when it gave the work away.
      const grants = [...state.grants, { agent: state.owner, upTo: state.lastNumber, sessionId }];
      const collaborators = state.collaborators.filter((agent) => agent !== target);
      const transfer = { sessionId, handoffId, from: state.owner, to: target, upTo, ...windowOf(state) };
      const transfers = [...state.transfers, transfer];
      const { taken: _before, ...rest } = state;
      const moved = { ...rest, owner: target, collaborators, grants, transfers, ownerActiveAt: at };
      return { ...moved, ...takenBy(handoff, at) };
    }
    case RequestType.Collaboration:
      // The owner and present collaborators may write already.
      if (mayWrite(state, target)) return state;
      return { ...state, collaborators: [...state.collaborators, target] };
    default:
      return { ...state, grants: [...state.grants, { agent: target, upTo, sessionId }] };
  }
}

function windowOf({
  owner,
  lastInstance,
  lastInstanceBy,
  lastInstanceAt = 0,
}: WorklogState): Pick<Transfer, 'window'> {
  if (lastInstance === undefined || lastInstanceBy !== owner) return {};
  return { window: { instance: lastInstance, at: lastInstanceAt } };
}

function takenBy(
  { takeOver, sessionId, handoffId }: PendingHandoff,
  at: number,
): Pick<WorklogState, 'taken'> {
  return takeOver ? { taken: { ...takeOver, at, sessionId, handoffId } } : {};
}
