/** The fold of a working session. */

import { FaultCode, HandoverError } from '../fault.js';
import { isFields } from '../fields.js';
import type { EntryHead } from '../log/entry.js';
import type { Json, JsonObject } from '../log/json.js';
import { ContextType } from './command.js';
import { WorklogEntryType } from './entry-type.js';
import { ended, handoffRequested } from './evolve-handoff.js';
import { withLeftUntil } from './left-until.js';
import { ANYONE, ParkedBy, unparked } from './parked.js';
import { type Author, CloseOutcome, type Lifetimes, type WorklogState, WorklogStatus } from './state.js';

export function evolveWorklog(state: WorklogState | undefined, entry: EntryHead): WorklogState {
  if (entry.v !== 1) throw unknownEntry(entry);
  if (!state) return registered(entry);
  return { ...next(state, entry), seq: entry.seq };
}

function registered(entry: EntryHead): WorklogState {
  const { facts, actor, at, seq, stream } = entry;
  if (entry.type !== WorklogEntryType.Registered || !isFields(facts.lifetimes)) throw unknownEntry(entry);
  const { project_id, project_name, client, client_session } = facts;
  return {
    key: stream.id,
    id: String(facts.id),
    agentFrom: actor,
    owner: actor,
    collaborators: [],
    grants: [],
    pending: [],
    transfers: [],
    status: WorklogStatus.Active,
    dormant: false,
    createdAt: at,
    lastActivityAt: at,
    statusSince: at,
    lifetimes: lifetimesOf(facts.lifetimes),
    lastNumber: 0,
    authors: [],
    seq,
    ownerActiveAt: at,
    leftUntil: [],
    ...(project_id !== undefined && { project: { id: String(project_id), name: String(project_name) } }),
    ...(client !== undefined && { client: String(client) }),
    ...(client_session !== undefined && { clientSession: String(client_session) }),
    ...instanceOf(entry),
  };
}

function next(state: WorklogState, entry: EntryHead): WorklogState {
  const { at } = entry;
  switch (entry.type) {
    case WorklogEntryType.ContextAdded:
      return contextAdded(state, entry);
    case WorklogEntryType.HandoffRequested:
      return handoffRequested(byOwner(state, entry), entry);
    case WorklogEntryType.HandoffEnded:
      return ended(state, entry);
    case WorklogEntryType.Parked:
      return parked(state, entry);
    case WorklogEntryType.Closed:
      return closed(state, entry);
    case WorklogEntryType.Reopened: {
      const { outcome: _outcome, ...open } = byOwner(state, entry);
      return { ...open, status: WorklogStatus.Active, statusSince: at, dormant: false, lastActivityAt: at };
    }
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

/** What the owner does itself shows that it is there, and ends what it left for anyone. */
function byOwner(state: WorklogState, { actor, at }: EntryHead): WorklogState {
  if (actor !== state.owner) return state;
  return { ...(state.parked?.takers[0] === ANYONE ? unparked(state) : state), ownerActiveAt: at };
}

function contextAdded(state: WorklogState, entry: EntryHead): WorklogState {
  const { facts, at } = entry;
  const lastNumber = Number(facts.n);
  const isCapture = facts.capture === true;
  return {
    ...(isCapture ? state : byOwner(state, entry)),
    ...instanceOf(entry),
    ...(names(facts.kinds, 'goal') && { goalSequence: lastNumber }),
    ...(names(facts.kinds, 'next') && { nextSequence: lastNumber }),
    ...(isCapture && facts.context_type === ContextType.System && { capturedSequence: lastNumber }),
    lifetimes: isFields(facts.lifetimes) ? lifetimesOf(facts.lifetimes) : state.lifetimes,
    lastNumber,
    authors: withAuthor(state.authors, entry.actor, lastNumber),
    dormant: false,
    lastActivityAt: at,
  };
}

const withAuthor = (authors: readonly Author[], agent: string, since: number): readonly Author[] =>
  authors.some((one) => one.agent === agent) ? authors : [...authors, { agent, since }];

function parked(state: WorklogState, entry: EntryHead): WorklogState {
  const { facts, at, seq } = entry;
  const by = facts.by === ParkedBy.Hook ? ParkedBy.Hook : ParkedBy.Owner;
  const before = unparked(by === ParkedBy.Owner ? byOwner(state, entry) : state);
  const [taker] = texts(facts.takers);
  if (taker === undefined) return before;
  const { request_type, until, event } = facts;
  const instruction = {
    seq,
    at,
    takers: [taker] as const,
    requestType: String(request_type),
    until: Number(until),
    by,
    ...(event !== undefined && { event: String(event) }),
  };
  const leftUntil = withLeftUntil(before, instruction, before.pending);
  return { ...before, parked: instruction, leftUntil, ...(taker !== ANYONE && { lastTaker: taker }) };
}

function closed(state: WorklogState, entry: EntryHead): WorklogState {
  const { facts, at } = entry;
  const outcome = facts.outcome === CloseOutcome.Abandoned ? CloseOutcome.Abandoned : CloseOutcome.Done;
  const status = WorklogStatus.Completed;
  return { ...unparked(byOwner(state, entry)), status, statusSince: at, dormant: false, outcome };
}

function instanceOf({
  facts: { instance },
  actor,
  at,
}: EntryHead): Pick<WorklogState, 'lastInstance' | 'lastInstanceBy' | 'lastInstanceAt'> {
  if (typeof instance !== 'string') return {};
  return { lastInstance: instance, lastInstanceBy: actor, lastInstanceAt: at };
}

const names = (kinds: Json | undefined, kind: string): boolean =>
  Array.isArray(kinds) && kinds.includes(kind);

const texts = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

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
