/** The fold of a session. Reads facts only, never a payload, a clock or a registry. */
import { CoreMessageType } from '../envelope/envelope.js';
import { FaultCode, HandoverError } from '../fault.js';
import type { EntryHead } from '../log/entry.js';
import { hasOrdinal, withControl } from './ordinals.js';
import { EXPIRED_TYPE } from './runtime-names.js';
import { startedState } from './started.js';
import { type ParticipantActivity, type SessionState, SessionStatus } from './state.js';

export function evolveSession(state: SessionState | undefined, entry: EntryHead): SessionState {
  if (entry.v !== 1) throw unknownEntry(entry);
  if (!state) {
    if (entry.type !== CoreMessageType.SessionStart) throw unknownEntry(entry);
    return startedState(entry);
  }
  const controls = hasOrdinal(entry.type) ? state.controls : withControl(state.controls, entry.seq);
  return { ...next(state, entry), seq: entry.seq, controls };
}

function next(state: SessionState, entry: EntryHead): SessionState {
  switch (entry.type) {
    case CoreMessageType.SessionCancel:
      return ended(state, SessionStatus.Cancelled);
    case CoreMessageType.SessionSuspend:
      return { ...state, status: SessionStatus.Suspended, suspendedAt: entry.at };
    case CoreMessageType.SessionResume:
      return resumed(state, entry.at);
    case EXPIRED_TYPE:
      return ended(state, SessionStatus.Expired);
    case CoreMessageType.Commitment:
      return {
        ...ended(state, SessionStatus.Resolved),
        run: state.run.evolve(entry, state),
        activity: said(state.activity, entry),
        outcomePositive: entry.facts.outcome_positive === true,
      };
    default:
      return messageAccepted(state, entry);
  }
}

function messageAccepted(state: SessionState, entry: EntryHead): SessionState {
  if (!state.mode.descriptor.messageTypes.includes(entry.type)) throw unknownEntry(entry);
  return { ...state, run: state.run.evolve(entry, state), activity: said(state.activity, entry) };
}

/** What the runtime wrote in a participant's name, by time-out or on request, is not the participant's activity. */
function said(activity: readonly ParticipantActivity[], entry: EntryHead): readonly ParticipantActivity[] {
  return entry.facts.implicit === true ? activity : active(activity, entry);
}

function ended(state: SessionState, status: SessionStatus): SessionState {
  const { suspendedAt: _, ...rest } = state;
  return { ...rest, status };
}

function resumed(state: SessionState, at: number): SessionState {
  const paused = at - (state.suspendedAt ?? at);
  const opened = ended(state, SessionStatus.Open);
  return { ...opened, deadline: state.deadline + paused, suspendedTotalMs: state.suspendedTotalMs + paused };
}

function active(
  activity: readonly ParticipantActivity[],
  { actor, at }: EntryHead,
): readonly ParticipantActivity[] {
  const index = activity.findIndex((known) => known.participant === actor);
  const known = activity[index];
  if (!known) return [...activity, { participant: actor, lastMessageAt: at, messages: 1 }];
  return activity.with(index, { participant: actor, lastMessageAt: at, messages: known.messages + 1 });
}

function unknownEntry(entry: EntryHead): HandoverError {
  const message = `entry ${entry.seq} has type ${entry.type} version ${entry.v}, which this version cannot read`;
  return new HandoverError(FaultCode.DATA_LOSS, message, {
    details: { session: entry.stream.id, seq: entry.seq },
  });
}
