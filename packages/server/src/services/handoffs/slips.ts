/**
 * Offers of a working session to names that nobody ever had: the next handoff of the same work mends the slip of the pen. What has
 * another goal is no correction, and neither is a copy or a share of the work: there the offer stands, because its target may be
 * an agent that has yet to come (docs/decisions/2026-11-19-a-slip-is-no-target.md).
 */
import { isBlank, type PendingHandoff, RequestType } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { isNobodys } from '../agents/unknown-target.js';
import type { Connection } from '../connection.js';
import type { HandoffDependencies } from './dependencies.js';
import type { HandOffArgs } from './hand-off-types.js';
import { newestGoal } from './newest-goal.js';
import { isSameGoal } from './other-work.js';
import type { FoundWorklog } from './worklogs.js';

export async function slipsOf(
  deps: HandoffDependencies,
  principal: Principal,
  connection: Connection | undefined,
  found: FoundWorklog | undefined,
  { args, to }: { readonly args: HandOffArgs; readonly to?: string },
): Promise<readonly PendingHandoff[]> {
  const { goal = '', requestType = RequestType.FullHandoff } = args;
  if (!found || !connection || requestType !== RequestType.FullHandoff) return [];
  const { ref, state } = found;
  const slips: PendingHandoff[] = [];
  for (const one of state.pending) {
    if (one.target === to || one.requestType !== RequestType.FullHandoff) continue;
    const was = isBlank(goal) ? undefined : await newestGoal(deps, ref, state, one.upTo);
    if (was !== undefined && !isSameGoal(was, goal)) continue;
    if (await isNobodys(deps.directory, principal, connection, one.target)) slips.push(one);
  }
  return slips;
}
