/**
 * Looks for words in what the caller may read: the session with the newest activity first, inside it the newest entry
 * first, then what was sent with its handoffs. There is no index of plain text: the log is read, and a call reads so much of
 * it and no more, in many turns of the loop. Where it ended, the cursor goes on.
 */
import { readableUpTo, readQuery, StreamKind } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { listedRows } from '../listed-rows.js';
import { isInProject } from '../project.js';
import type { Attachments } from './attachments.js';
import type { HandoffDependencies } from './dependencies.js';
import { fieldFlaw } from './field-flaw.js';
import { badCursor } from './pages.js';
import { SearchPass } from './search-pass.js';
import { comesAfter, isNewer, orderOf, readPlace } from './search-place.js';
import type { HandoffService } from './types.js';
import { type FoundWorklog, sessionNotFound, type Worklogs } from './worklogs.js';

type Args = Parameters<HandoffService['searchContext']>[1];

const MAX_SESSIONS = fixedLimits.searchedSessions.value;
const DEFAULT_LIMIT = 10;

export async function searchContext(
  deps: HandoffDependencies,
  { worklogs, attachments }: { readonly worklogs: Worklogs; readonly attachments: Attachments },
  principal: Principal,
  { query: text, sessionKey, project, cursor, limit = DEFAULT_LIMIT }: Args,
): ReturnType<HandoffService['searchContext']> {
  const query = readQuery(text);
  if ('flaw' in query) return { rejection: fieldFlaw('query', query.flaw) };
  const place = cursor === undefined ? undefined : readPlace(cursor);
  if (cursor !== undefined && !place) return { rejection: badCursor() };
  const named = sessionKey === undefined ? undefined : await worklogs.find(principal, sessionKey);
  if (sessionKey !== undefined && !named) return { rejection: sessionNotFound(sessionKey) };
  const { sessions, all } = named
    ? { sessions: [named], all: true }
    : await readableSessions(deps, principal, project);
  const pass = new SearchPass(deps, attachments, principal.agent, { query, limit });
  for (const session of sessions.filter((one) => !place || comesAfter(one, place)))
    if (!(await pass.session(session, place?.key === session.state.key ? place : undefined))) break;
  return { value: pass.page(all) };
}

/** The newest activity first. More than so many are not sorted, and not searched. */
async function readableSessions(
  { engine }: HandoffDependencies,
  { tenant, agent }: Principal,
  project: string | undefined,
): Promise<{ readonly sessions: readonly FoundWorklog[]; readonly all: boolean }> {
  const found: FoundWorklog[] = [];
  for await (const { ref } of listedRows(engine, { tenant, kind: StreamKind.Worklog, agent })) {
    const state = (await engine.query(ref))?.state;
    const upTo = state && readableUpTo(state, agent);
    const isWanted = state && isInProject(state.project, project);
    if (isWanted && upTo !== undefined && upTo > 0) found.push({ ref, state, upTo });
    if (found.length > MAX_SESSIONS) break;
  }
  const sessions = found.slice(0, MAX_SESSIONS).sort((a, b) => (isNewer(orderOf(a), orderOf(b)) ? -1 : 1));
  return { sessions, all: found.length <= MAX_SESSIONS };
}
