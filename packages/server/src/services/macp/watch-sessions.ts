/**
 * WatchSessions: first one CREATED for each existing session, then what happens to any of them. A session's CREATED is
 * sent exactly once: the list has those created up to a cursor, the feed those after it.
 */
import {
  CoreMessageType,
  type EntryHead,
  EXPIRED_TYPE,
  type JsonObject,
  type SessionMetadata,
  StreamKind,
  sessionMetadata,
  summaryToMetadata,
} from '@handover/core';
import type { Cursor } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import type { ServiceDependencies } from '../dependencies.js';
import { follow } from '../follow.js';
import { readRejection, visibleTo } from './sessions.js';

export const LifecycleEvent = {
  Created: 'CREATED',
  Resolved: 'RESOLVED',
  Expired: 'EXPIRED',
  Suspended: 'SUSPENDED',
  Resumed: 'RESUMED',
  Cancelled: 'CANCELLED',
} as const;
export type LifecycleEvent = (typeof LifecycleEvent)[keyof typeof LifecycleEvent];

export interface SessionLifecycle {
  readonly event: LifecycleEvent;
  readonly session: SessionMetadata;
  readonly observedAtUnixMs: number;
}

const EVENTS: ReadonlyMap<string, LifecycleEvent> = new Map([
  [CoreMessageType.SessionStart, LifecycleEvent.Created],
  [CoreMessageType.Commitment, LifecycleEvent.Resolved],
  [EXPIRED_TYPE, LifecycleEvent.Expired],
  [CoreMessageType.SessionSuspend, LifecycleEvent.Suspended],
  [CoreMessageType.SessionResume, LifecycleEvent.Resumed],
  [CoreMessageType.SessionCancel, LifecycleEvent.Cancelled],
]);

const PAGE = 1_000;

export async function* watchSessions(
  deps: ServiceDependencies,
  principal: Principal,
  signal: AbortSignal,
): AsyncGenerator<SessionLifecycle> {
  const from = await deps.engine.position();
  yield* existing(deps, principal, from, signal);
  for await (const { entry } of follow(deps.engine, from, signal)) {
    const lifecycle = await lifecycleOf(deps, principal, entry);
    if (lifecycle) yield lifecycle;
  }
}

async function* existing(
  { engine }: ServiceDependencies,
  principal: Principal,
  createdUpTo: Cursor,
  signal: AbortSignal,
): AsyncGenerator<SessionLifecycle> {
  let afterId: string | undefined;
  while (!signal.aborted) {
    const query = {
      ...visibleTo(principal),
      createdUpTo,
      limit: PAGE,
      ...(afterId !== undefined && { afterId }),
    };
    const rows = await engine.list(query);
    for (const { ref, row } of rows) {
      const session = summaryToMetadata(ref.id, JSON.parse(row.summary) as JsonObject);
      yield { event: LifecycleEvent.Created, session, observedAtUnixMs: session.startedAtUnixMs };
    }
    if (rows.length < PAGE) return;
    afterId = rows.at(-1)?.ref.id;
  }
}

async function lifecycleOf(
  deps: ServiceDependencies,
  principal: Principal,
  entry: EntryHead,
): Promise<SessionLifecycle | undefined> {
  const event = EVENTS.get(entry.type);
  if (!event || entry.stream.kind !== StreamKind.Session || entry.stream.tenant !== principal.tenant)
    return undefined;
  const session = (await deps.engine.query(entry.stream))?.state;
  if (!session || readRejection(principal, session)) return undefined;
  const { participantActivity: _, ...metadata } = sessionMetadata(session);
  return { event, session: { ...metadata, participantActivity: [] }, observedAtUnixMs: deps.now() };
}
