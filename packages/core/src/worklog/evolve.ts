/** The fold of a working session. */

import { FaultCode, HandoverError } from '../fault.js';
import { isFields } from '../fields.js';
import type { EntryHead } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { WorklogEntryType } from './entry-type.js';
import { type Lifetimes, mayWrite, RequestType, type WorklogState, WorklogStatus } from './state.js';

export function evolveWorklog(state: WorklogState | undefined, entry: EntryHead): WorklogState {
  if (entry.v !== 1) throw unknownEntry(entry);
  if (!state) return registered(entry);
  return { ...next(state, entry), seq: entry.seq };
}

function registered(entry: EntryHead): WorklogState {
  const { facts, actor, at, seq, stream } = entry;
  if (entry.type !== WorklogEntryType.Registered || !isFields(facts.lifetimes)) throw unknownEntry(entry);
  return {
    key: stream.id,
    id: String(facts.id),
    agentFrom: actor,
    owner: actor,
    collaborators: [],
    grants: [],
    pending: [],
    status: WorklogStatus.Active,
    dormant: false,
    createdAt: at,
    lastActivityAt: at,
    statusSince: at,
    lifetimes: lifetimesOf(facts.lifetimes),
    lastNumber: 0,
    seq,
  };
}

function next(state: WorklogState, entry: EntryHead): WorklogState {
  const { facts, at } = entry;
  switch (entry.type) {
    case WorklogEntryType.ContextAdded: {
      const lifetimes = isFields(facts.lifetimes) ? lifetimesOf(facts.lifetimes) : state.lifetimes;
      return { ...state, lifetimes, lastNumber: Number(facts.n), dormant: false, lastActivityAt: at };
    }
    case WorklogEntryType.HandoffRequested: {
      const pending = {
        sessionId: String(facts.session_id),
        handoffId: String(facts.handoff_id),
        target: String(facts.target),
        requestType: String(facts.request_type),
        upTo: Number(facts.up_to),
      };
      return { ...state, pending: [...state.pending, pending], dormant: false, lastActivityAt: at };
    }
    case WorklogEntryType.HandoffEnded:
      return ended(state, entry);
    case WorklogEntryType.Dormant:
      return { ...state, dormant: true };
    case WorklogEntryType.Expired:
      return { ...state, status: WorklogStatus.Expired, statusSince: at };
    case WorklogEntryType.Archived:
      return { ...state, status: WorklogStatus.Archived, statusSince: at };
    case WorklogEntryType.Purged:
      return { ...state, status: WorklogStatus.Purged, statusSince: at };
    default:
      throw unknownEntry(entry);
  }
}

function ended(state: WorklogState, { facts, at }: EntryHead): WorklogState {
  const sessionId = String(facts.session_id);
  const handoff = state.pending.find((pending) => pending.sessionId === sessionId);
  if (!handoff) return state;
  const free = { ...state, pending: state.pending.filter((pending) => pending !== handoff) };
  if (facts.outcome !== 'committed') return free;
  const moved = { ...free, dormant: false, lastActivityAt: at };
  const { target, requestType, upTo } = handoff;
  switch (requestType) {
    case RequestType.FullHandoff: {
      // The old owner keeps what it could read when it gave the work away.
      const grants = [...state.grants, { agent: state.owner, upTo: state.lastNumber, sessionId }];
      const collaborators = state.collaborators.filter((agent) => agent !== target);
      return { ...moved, owner: target, collaborators, grants };
    }
    case RequestType.Collaboration: {
      // The owner and present collaborators may write already.
      const known = mayWrite(state, target);
      return known ? moved : { ...moved, collaborators: [...state.collaborators, target] };
    }
    default:
      return { ...moved, grants: [...state.grants, { agent: target, upTo, sessionId }] };
  }
}

function lifetimesOf(facts: JsonObject): Lifetimes {
  return {
    dormantAfterMs: Number(facts.dormant),
    expireAfterMs: Number(facts.expire),
    archiveAfterMs: Number(facts.archive),
    purgeAfterMs: Number(facts.purge),
  };
}

function unknownEntry(entry: EntryHead): HandoverError {
  const message = `entry ${entry.seq} has type ${entry.type} version ${entry.v}, which this version cannot read`;
  return new HandoverError(FaultCode.DATA_LOSS, message, {
    details: { worklog: entry.stream.id, seq: entry.seq },
  });
}
