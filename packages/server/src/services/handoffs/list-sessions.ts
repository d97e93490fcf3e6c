/** Working sessions that the caller may read; with `agent`, only those in which that agent is involved. */
import { readableUpTo, StreamKind, type WorklogState, WorklogStatus } from '@handover/core';
import type { ListedStream } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { mapOutcome } from '../outcome.js';
import type { HandoffDependencies } from './dependencies.js';
import { gatherPage } from './pages.js';
import type { HandoffService, WorklogView } from './types.js';
import type { Worklogs } from './worklogs.js';

type Args = Parameters<HandoffService['listSessions']>[1];

export async function listSessions(
  deps: HandoffDependencies,
  worklogs: Worklogs,
  principal: Principal,
  { agent, activeOnly, ...page }: Args,
): ReturnType<HandoffService['listSessions']> {
  // Always the caller's own list: the cursors of another agent's list would reveal keys.
  const query = { tenant: principal.tenant, kind: StreamKind.Worklog, agent: principal.agent };
  const itemsOf = async ({ ref }: ListedStream<'worklog'>): Promise<readonly WorklogView[]> => {
    const state = (await deps.engine.query(ref))?.state;
    if (!state || readableUpTo(state, principal.agent) === undefined) return [];
    if (activeOnly && state.status !== WorklogStatus.Active) return [];
    if (agent !== undefined && !hasPart(state, agent)) return [];
    return [await worklogs.view(principal, ref, state)];
  };
  const gathered = await gatherPage(deps.engine, 'workingSessions', query, page, itemsOf);
  return mapOutcome(gathered, ({ items, ...rest }) => ({ sessions: items, ...rest }));
}

/** This covers authors: only owners and collaborators write, and a former one keeps a right to read. */
function hasPart({ agentFrom, owner, collaborators, grants }: WorklogState, agent: string): boolean {
  return (
    agent === agentFrom ||
    agent === owner ||
    collaborators.includes(agent) ||
    grants.some((grant) => grant.agent === agent)
  );
}
