import type { SessionProjection } from '../session/projection.js';
import type { ModeSession } from '../session/session.js';
import { pause } from '../transport/backoff.js';

const FIRST_LOOK_MS = 1_000;
const LONGEST_LOOK_MS = 5_000;

/**
 * Resolves with true when the session has expired, with false when the signal fires. No envelope tells of an expiry, so the
 * runtime is asked, less and less often: a watch would begin with every session that the caller may see.
 */
export async function expiresWhileWaiting(
  { client, sessionId, auth }: ModeSession<SessionProjection>,
  signal: AbortSignal,
): Promise<boolean> {
  for (let ms = FIRST_LOOK_MS; ; ms = Math.min(2 * ms, LONGEST_LOOK_MS)) {
    await pause(ms, signal);
    if (signal.aborted) return false;
    // Whoever waits follows the session, too, and hears there what is wrong.
    const seen = await client.getSession(sessionId, { auth, signal }).catch(() => undefined);
    if (seen?.metadata.state === 'EXPIRED') return true;
  }
}
