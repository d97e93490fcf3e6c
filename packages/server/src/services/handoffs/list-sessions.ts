/** Working sessions that the caller may read; with `agent`, only those in which that agent is involved. */
import { readableUpTo, StreamKind, type WorklogState, WorklogStatus } from '@handover/core';
import type { ListedStream } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { listedRows } from '../listed-rows.js';
import { mapOutcome } from '../outcome.js';
import type { HandoffDependencies } from './dependencies.js';
import { gatherPage, type Placed } from './pages.js';
import type { HandoffService, WorklogView } from './types.js';
import type { Worklogs } from './worklogs.js';

type Args = Parameters<HandoffService['listSessions']>[1];

export async function listSessions(
  deps: HandoffDependencies,
  worklogs: Worklogs,
  principal: Principal,
  { agent, activeOnly, ...page }: Args,
): ReturnType<HandoffService['listSessions']> {
  const itemsOf = async ({ ref }: ListedStream<'worklog'>): Promise<readonly Placed<WorklogView>[]> => {
    const state = (await deps.engine.query(ref))?.state;
    if (!state || !isListed(state, principal, activeOnly)) return [];
    if (agent !== undefined && !hasPart(state, agent)) return [];
    return [{ item: await worklogs.view(principal, ref, state), at: 0 }];
  };
  const gathered = await gatherPage(deps.engine, 'workingSessions', ownList(principal), page, itemsOf);
  return mapOutcome(gathered, ({ items, ...rest }) => ({ sessions: items, ...rest }));
}

/** Without reading what is shown of them. Counting stops at a bound; the total is then too low. */
export async function countActiveSessions(
  { engine }: HandoffDependencies,
  principal: Principal,
): Promise<number> {
  let count = 0;
  let seen = 0;
  for await (const { ref } of listedRows(engine, ownList(principal))) {
    const state = (await engine.query(ref))?.state;
    if (state && isListed(state, principal, true)) count += 1;
    if (++seen >= fixedLimits.countedSessions.value) break;
  }
  return count;
}

/** Always the caller's own list: the cursors of another agent's list would reveal keys. */
const ownList = ({ tenant, agent }: Principal) => ({ tenant, kind: StreamKind.Worklog, agent });

function isListed(state: WorklogState, { agent }: Principal, activeOnly: boolean): boolean {
  if (readableUpTo(state, agent) === undefined) return false;
  return !activeOnly || state.status === WorklogStatus.Active;
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
