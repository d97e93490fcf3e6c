import type { AuthConfig } from '../auth.js';
import type { MacpClient } from '../client/client.js';
import type { SessionLifecycleEvent, SessionMetadata } from '../client/types.js';
import { reconnecting } from '../transport/reconnecting.js';
import { type Gate, mayPassLater } from './gate.js';
import { openSessions } from './open-sessions.js';

/** Who wants to know about sessions. */
export interface FeedHost {
  readonly client: MacpClient;
  readonly agent: string;
  readonly auth: AuthConfig | undefined;
  readonly gate: Gate;
  readonly stopping: AbortSignal;
  /** The ids of the sessions that are known now. */
  known(): readonly string[];
  /** How a session is now; `isNew` when it was started a moment ago. */
  noted(session: SessionMetadata, isNew: boolean): void;
  ended(sessionId: string): void;
  /** The list was read to its end. */
  listed(): void;
}

const NEW_MS = 10_000;

/** Tells of the sessions that are there and of those that come, over lost connections, until the worker stops. */
export async function feedSessions(host: FeedHost): Promise<void> {
  const events = reconnecting(() => connected(host), 'HandoffWorker', undefined, host.stopping);
  for await (const { session, eventType, observedAtUnixMs } of events)
    host.noted(session, eventType === 'CREATED' && observedAtUnixMs - session.startedAtUnixMs < NEW_MS);
}

/** The watch is opened before the list is read, so that nothing falls between; what it says first is in the list. */
async function* connected(host: FeedHost): AsyncGenerator<SessionLifecycleEvent> {
  const { client, auth, stopping } = host;
  const events = client.watchSessions({ auth, signal: stopping });
  const first = events.next();
  // Awaited below; a failure meanwhile is nobody's yet.
  first.catch(() => undefined);
  try {
    await list(host);
    const { value, done } = await first;
    if (done) return;
    yield value;
    yield* events;
  } finally {
    await events.return();
  }
}

/** What ended while nobody watched is not in the list any more. */
async function list(host: FeedHost): Promise<void> {
  const { client, agent, auth, gate, stopping } = host;
  const before = host.known();
  while (!stopping.aborted) {
    try {
      await gate.pass(stopping);
      const sessions = await openSessions(client, { agent, auth, signal: stopping });
      const open = new Set(sessions.map(({ sessionId }) => sessionId));
      for (const sessionId of before) if (!open.has(sessionId)) host.ended(sessionId);
      for (const session of sessions) host.noted(session, false);
      return host.listed();
    } catch (error) {
      if (stopping.aborted) return;
      if (!mayPassLater(error)) throw error;
      gate.failed(error);
    }
  }
}
