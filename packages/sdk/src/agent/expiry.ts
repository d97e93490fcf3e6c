import type { AuthConfig } from '../auth.js';
import type { MacpClient } from '../client/client.js';
import { log } from '../logging.js';
import { SessionLifecycleWatcher } from '../watch/session-lifecycle-watcher.js';

/** Resolves with true when the session expires, with false when the signal fires: no envelope tells of an expiry. */
export async function expires(
  client: MacpClient,
  sessionId: string,
  auth: AuthConfig | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    for await (const { session } of new SessionLifecycleWatcher(client, { auth }).changes(signal))
      if (session.sessionId === sessionId && session.state === 'EXPIRED') return true;
  } catch (error) {
    // Some runtimes have no WatchSessions; the agent works without it.
    if (!signal.aborted) log.warn(`expiry of session ${sessionId} cannot be watched: ${String(error)}`);
  }
  return false;
}
