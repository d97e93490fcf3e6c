/** Working sessions that an agent can go on with: its own, and those that were left for it or for whoever comes next. */
import {
  ANYONE,
  liveInstruction,
  ParkedBy,
  SESSION_END,
  StreamKind,
  type WorklogState,
  WorklogStatus,
} from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import type { Connection } from '../../connection.js';
import type { HandoffDependencies } from '../dependencies.js';
import { isLeftFor, isOpenTo } from '../open-parking.js';
import { rowsOf } from '../waiting/look.js';
import { concerns } from '../waiting/open-sessions.js';
import type { Candidate, Placed, Present } from './types.js';

export async function sessionsFor(
  deps: HandoffDependencies,
  { tenant, agent }: Principal,
  connection: Connection,
  present: Present | undefined,
): Promise<readonly Placed[]> {
  const found: Placed[] = [];
  for (const { ref, row } of await rowsOf(deps, { tenant, kind: StreamKind.Worklog })) {
    if (!concerns(row.summary, { agent })) continue;
    const state = (await deps.engine.query(ref))?.state;
    if (!state || state.status !== WorklogStatus.Active) continue;
    const candidate =
      state.owner === agent
        ? ownWork(state, connection, present, deps.now())
        : leftWork(deps, state, agent, connection);
    if (candidate) found.push({ candidate, ...(state.project && { project: state.project }) });
  }
  return found;
}

/**
 * Not what the caller is at, unless it was left for others or came back: its present session, and what a hook opened for it
 * since it is connected.
 */
function ownWork(
  state: WorklogState,
  { since }: Connection,
  present: Present | undefined,
  now: number,
): Candidate | undefined {
  const { key, owner, lastNumber, lastActivityAt, clientSession, createdAt, ownerActiveAt } = state;
  const isOfNow = clientSession !== undefined && createdAt >= since;
  const isPresent = key === present?.sessionKey;
  if (lastNumber === 0) return undefined;
  if (isPresent || isOfNow) {
    const news = newsOf(state, isPresent ? present.lastAt : 0, now);
    return news === undefined ? undefined : { kind: 'own', sessionKey: key, by: owner, at: news };
  }
  // A capture of the running conversation says nothing new about older work.
  const time = lastActivityAt < since ? lastActivityAt : ownerActiveAt;
  return { kind: 'own', sessionKey: key, by: owner, at: time };
}

/** When it was left for whoever comes next, or came back after the window last did something with it. */
function newsOf(state: WorklogState, lastAt: number, now: number): number | undefined {
  const left = liveInstruction(state, now);
  if (left?.takers[0] === ANYONE) return left.at;
  const { taken, ownerActiveAt } = state;
  return taken && taken.at > lastAt && taken.at === ownerActiveAt ? taken.at : undefined;
}

export function leftWork(
  { now, taking }: HandoffDependencies,
  state: WorklogState,
  agent: string,
  connection: Connection,
): Candidate | undefined {
  const left = liveInstruction(state, now());
  if (!left || !isLeftFor(left, agent, isOpenTo(connection, taking, state.project))) return undefined;
  const isEnd = left.by === ParkedBy.Hook && left.event === SESSION_END;
  return { kind: isEnd ? 'left' : 'parked', sessionKey: state.key, by: state.owner, at: left.at };
}
