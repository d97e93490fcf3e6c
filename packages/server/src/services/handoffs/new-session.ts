/**
 * A handoff without a session opens one, where its window is at none. Its caller may have meant another: the one that the
 * window was at, which somebody else has or which is offered with another goal, or one of its own that it saw and did not go
 * on with.
 */
import type { Connection } from '../connection.js';
import { isInProject } from '../project.js';
import type { Whereabouts } from './current-session.js';
import type { WaitingWork } from './other-work.js';
import type { FoundWorklog } from './worklogs.js';

export interface NewSession {
  /** What the window was at, and who has it now. */
  readonly gone?: { readonly sessionKey: string; readonly owner: string };
  /** What the window is at: it writes to it with its owner, who alone hands it over. */
  readonly shared?: { readonly sessionKey: string; readonly owner: string };
  /** What the window is at: it is offered with another goal, and waits. */
  readonly waiting?: WaitingWork;
  /** The caller's own in this project with the newest entry. */
  readonly own?: string;
}

/** What is older is hardly meant. */
const RECENT_MS = 7 * 86_400_000;

export function newSession(
  {
    gone,
    shared,
    waiting,
    own = [],
  }: Whereabouts & { readonly waiting?: WaitingWork; readonly shared?: FoundWorklog },
  connection: Pick<Connection, 'project'> | undefined,
  now: number,
): NewSession | undefined {
  if (waiting) return { waiting };
  if (shared) return { shared: { sessionKey: shared.ref.id, owner: shared.state.owner } };
  if (gone) return { gone: { sessionKey: gone.ref.id, owner: gone.state.owner } };
  const [newest] = own
    .filter(({ project }) => isInProject(project, connection?.project?.id))
    .filter(({ lastNumber, lastActivityAt }) => lastNumber > 0 && now - lastActivityAt <= RECENT_MS)
    .toSorted((one, other) => other.lastActivityAt - one.lastActivityAt);
  return newest && { own: newest.key };
}
