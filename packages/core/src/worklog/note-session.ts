/**
 * A note: what a former owner sends to whoever has its work now. It needs a working session, because only the owner of one
 * hands over; but it is no work, and nobody goes on with it. Its id says so, and which working session it is about.
 */
import { mayWrite, type WorklogState } from './state.js';

const PREFIX = 'note:';

/** The id of a request has no colon. */
export const noteId = (id: string, about: string): string => `${PREFIX}${id}:${about}`;

/** The key of the working session that it is about; undefined: it is no note. */
export function noteAbout({ id }: Pick<WorklogState, 'id'>): string | undefined {
  if (!id.startsWith(PREFIX)) return undefined;
  const at = id.indexOf(':', PREFIX.length);
  return at < 0 ? undefined : id.slice(at + 1);
}

/** Whether it was the agent's, and is no longer: others may have read it all the time. */
export const hasGivenAway = (state: WorklogState, agent: string): boolean =>
  !mayWrite(state, agent) &&
  (state.agentFrom === agent || state.transfers.some(({ from }) => from === agent));
