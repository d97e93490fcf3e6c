import {
  ANYONE,
  type BriefEntry,
  type EntryHead,
  isBlank,
  itemsNoted,
  type JsonObject,
  kindsNoted,
  liveInstruction,
  ParkedBy,
  type Rejection,
  RejectionCode,
  RequestType,
  saidNotes,
  type WorklogState,
} from '@handover/core';
import type { StepResult } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Connection, ConnectionFacts } from '../connection.js';
import { submit } from './admit.js';
import type { SessionParts } from './current-session.js';
import type { HandoffDependencies } from './dependencies.js';
import { contentFlaw, fieldFlaw } from './field-flaw.js';
import { formatHandoffId, requestId } from './ids.js';
import { reachesOthers } from './open-parking.js';
import { otherWindow } from './other-window.js';
import { payloadOf } from './payloads.js';
import type { HandoffService, OfferedTo } from './types.js';
import { sessionNotFound, worklogRef } from './worklogs.js';

type Args = Parameters<HandoffService['updateContext']>[1];
/** From where it is written. */
export type WrittenFrom = ConnectionFacts & Partial<Pick<Connection, 'transport'>>;
type Result = Awaited<ReturnType<HandoffService['updateContext']>>;

export async function updateContext(
  deps: HandoffDependencies,
  { worklogs, current }: SessionParts,
  principal: Principal,
  args: Args,
  connection?: WrittenFrom,
): Promise<Result> {
  const { sessionKey, contextType, content, metadata = {}, idempotencyKey, expectedSequence } = args;
  const { lifetimes, maxContentBytes } = deps.settingsNow();
  const rejection = contentFlaw(content, maxContentBytes) ?? notesFlaw(metadata);
  if (rejection) return { rejection };
  const stream = worklogRef(principal.tenant, sessionKey);
  const entryId = requestId(principal, ['updateContext', sessionKey], idempotencyKey, deps.codec);
  // The type is also in the facts. In the payload, it makes the same key with another type a different request.
  const payload = payloadOf({ contextType, content, metadata }, deps.codec);
  const kinds = kindsOf({ contextType, content, metadata });
  const command = {
    kind: 'addContext',
    entryId,
    contextType,
    payload,
    lifetimes,
    kinds,
    ...(connection?.instance !== undefined && { instance: connection.instance }),
    ...(expectedSequence !== undefined && { expectedSequence }),
  } as const;
  const step = { stream, command, ...(idempotencyKey !== undefined && { messageId: entryId }) };
  const bytes = payload.length + 512;
  const before = (await deps.engine.query(stream))?.state;
  const answer = await submit(deps, principal, 'updateContext', {
    agent: principal.agent,
    steps: [step],
    bytes,
  });
  if (!answer.ok) return { rejection: aboutSession(answer.rejection, sessionKey) };
  const [result] = answer.results;
  const entry = await storedEntry(deps, stream, result);
  if (!result.state || !entry) throw new Error('an accepted context entry is not in the log');
  const about = {
    id: String(entry.facts.entry_id),
    sequenceNumber: Number(entry.facts.n),
    contextType,
    metadata,
    author: entry.actor,
    createdAt: entry.at,
  };
  const { sequenceNumber: number, createdAt: at } = about;
  current.note(principal, connection, sessionKey);
  const other = otherWindow(before, principal, connection, entry.at, deps.directory);
  const value = {
    ...(other && { otherWindow: other, ...offeredBy(result.state as WorklogState) }),
    ...(connection && tookBack(deps, connection, before, result) && { tookBack: true as const }),
    ...(kinds.length === 0 && isBlank(content) && { isEmpty: true as const }),
    entry: {
      ...about,
      contentLength: content.length,
      contentBytes: Buffer.byteLength(content),
    },
    session: await worklogs.view(principal, stream, result.state),
    warnings: saidNotes({ ...about, number, at, content }).warnings,
  };
  return result.decision.kind === 'duplicate' ? { value, replayed: true } : { value };
}

/** What another window may have done: a window knows what it did itself. */
function offeredBy({ pending }: WorklogState): { readonly offered?: OfferedTo } {
  const full = pending.find(({ requestType }) => requestType === RequestType.FullHandoff);
  if (!full) return {};
  return { offered: { to: full.target, handoffId: formatHandoffId(full.sessionId, full.handoffId) } };
}

/** Whether the entry ended what its owner had left for whoever comes next. */
function tookBack(
  { taking }: HandoffDependencies,
  { transport = 'stdio' }: WrittenFrom,
  before: WorklogState | undefined,
  { decision: { kind }, state, entries }: StepResult,
): boolean {
  const left = before && liveInstruction(before, entries[0]?.at ?? 0);
  if (kind !== 'accepted' || left?.takers[0] !== ANYONE || left.by !== ParkedBy.Owner) return false;
  return !(state as WorklogState).parked && reachesOthers({ transport }, taking);
}

const MOST_NOTES = fixedLimits.notesOfEntry.value;

/** Every reader of the brief pays for each note again. */
function notesFlaw(metadata: JsonObject): Rejection | undefined {
  const items = itemsNoted({ metadata });
  if (items <= MOST_NOTES) return undefined;
  return fieldFlaw(
    'metadata',
    `has a note of ${items} items; at most ${MOST_NOTES} are allowed in one entry`,
  );
}

/** Kinds of the notes in an entry, whatever its number will be. */
function kindsOf(said: Pick<BriefEntry, 'contextType' | 'content' | 'metadata'>): readonly string[] {
  return [...kindsNoted({ ...said, number: Number.MAX_SAFE_INTEGER, at: 0, author: '' })];
}

/** The stored entry; for a repeated request, the entry that the first one made. */
async function storedEntry(
  { store }: HandoffDependencies,
  stream: Parameters<typeof store.load>[0],
  { decision, entries }: StepResult,
): Promise<EntryHead | undefined> {
  if (decision.kind === 'accepted') return entries[0];
  const [entry] = await store.load(stream, decision.seq - 1, 1);
  return entry;
}

/** Adds the session key to a refusal. An unknown session and somebody else's get the same answer. */
export function aboutSession(rejection: Rejection, sessionKey: string): Rejection {
  if (rejection.code === RejectionCode.SESSION_NOT_FOUND) return sessionNotFound(sessionKey);
  return { ...rejection, details: { sessionKey, ...rejection.details } };
}
