import { type EntryHead, type JsonObject, type Rejection, RejectionCode, readNotes } from '@handover/core';
import type { StepResult } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import type { ConnectionFacts } from '../connection.js';
import { submit } from './admit.js';
import type { HandoffDependencies } from './dependencies.js';
import { contentFlaw } from './field-flaw.js';
import { requestId } from './ids.js';
import { payloadOf } from './payloads.js';
import type { HandoffService, OtherWindow } from './types.js';
import { sessionNotFound, type Worklogs, worklogRef } from './worklogs.js';

type Args = Parameters<HandoffService['updateContext']>[1];
type Result = Awaited<ReturnType<HandoffService['updateContext']>>;

export async function updateContext(
  deps: HandoffDependencies,
  worklogs: Worklogs,
  principal: Principal,
  args: Args,
  { instance }: ConnectionFacts = {},
): Promise<Result> {
  const { sessionKey, contextType, content, metadata = {}, idempotencyKey, expectedSequence } = args;
  const { lifetimes, maxContentBytes } = deps.settingsNow();
  const rejection = contentFlaw(content, maxContentBytes);
  if (rejection) return { rejection };
  const stream = worklogRef(principal.tenant, sessionKey);
  const entryId = requestId(principal, ['updateContext', sessionKey], idempotencyKey, deps.codec);
  // The type is also in the facts. In the payload, it makes the same key with another type a different request.
  const payload = payloadOf({ contextType, content, metadata }, deps.codec);
  const kinds = kindsOf({ contextType, content, metadata });
  const otherWindow = await windowBefore(deps, stream, principal.agent, instance);
  const command = {
    kind: 'addContext',
    entryId,
    contextType,
    payload,
    lifetimes,
    ...(kinds.length > 0 && { kinds }),
    ...(instance !== undefined && { instance }),
    ...(expectedSequence !== undefined && { expectedSequence }),
  } as const;
  const step = { stream, command, ...(idempotencyKey !== undefined && { messageId: entryId }) };
  const bytes = payload.length + 512;
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
  const value = {
    entry: {
      ...about,
      contentLength: content.length,
      contentBytes: Buffer.byteLength(content),
    },
    session: await worklogs.view(principal, stream, result.state),
    ...(otherWindow && { otherWindow }),
    warnings: readNotes({ ...about, number, at, content }).warnings,
  };
  return result.decision.kind === 'duplicate' ? { value, replayed: true } : { value };
}

/** Kinds of the notes in it, each once, sorted. */
function kindsOf(said: { contextType: string; content: string; metadata: JsonObject }): readonly string[] {
  const { notes } = readNotes({ ...said, number: Number.MAX_SAFE_INTEGER, author: '', at: 0 });
  return [...new Set(notes.map(({ kind }) => kind))].sort();
}

const ANOTHER_WINDOW_MS = 10 * 60_000;

/** Another window of the same agent that wrote a short while ago: both may be at the same work. */
async function windowBefore(
  { engine, now }: HandoffDependencies,
  stream: ReturnType<typeof worklogRef>,
  agent: string,
  instance: string | undefined,
): Promise<OtherWindow | undefined> {
  if (instance === undefined) return undefined;
  const { lastInstance, lastInstanceBy, lastInstanceAt = 0 } = (await engine.query(stream))?.state ?? {};
  if (lastInstance === undefined || lastInstance === instance || lastInstanceBy !== agent) return undefined;
  return now() - lastInstanceAt < ANOTHER_WINDOW_MS
    ? { instance: lastInstance, at: lastInstanceAt }
    : undefined;
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
