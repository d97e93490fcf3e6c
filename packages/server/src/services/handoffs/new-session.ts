/**
 * A handoff without a session opens one, where its window is at none. Its caller may have meant another: the one that the
 * window was at, which somebody else has now, or one of its own that it saw and did not go on with.
 */

import type { Connection } from '../connection.js';
import { isInProject } from '../project.js';
import type { Whereabouts } from './current-session.js';

export interface NewSession {
  /** What the window was at, and who has it now. */
  readonly gone?: { readonly sessionKey: string; readonly owner: string };
  /** The caller's own in this project with the newest entry. */
  readonly own?: string;
}

/** What is older is hardly meant. */
const RECENT_MS = 7 * 86_400_000;

export function newSession(
  { gone, own = [] }: Whereabouts,
  connection: Pick<Connection, 'project'> | undefined,
  now: number,
): NewSession | undefined {
  if (gone) return { gone: { sessionKey: gone.ref.id, owner: gone.state.owner } };
  const [newest] = own
    .filter(({ project }) => isInProject(project, connection?.project?.id))
    .filter(({ lastNumber, lastActivityAt }) => lastNumber > 0 && now - lastActivityAt <= RECENT_MS)
    .toSorted((one, other) => other.lastActivityAt - one.lastActivityAt);
  return newest && { own: newest.key };
}
