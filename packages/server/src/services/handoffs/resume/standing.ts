/** How work that is the caller's stands with it: whether its window is at it, and who else may get it. */
import {
  ANYONE,
  acceptedOffer,
  liveInstruction,
  offersOf,
  RequestType,
  type WorklogState,
} from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import type { Connection } from '../../connection.js';
import { sessionRef } from '../../stream-refs.js';
import type { CurrentSessions } from '../current-session.js';
import type { HandoffDependencies } from '../dependencies.js';
import { formatHandoffId } from '../ids.js';
import { reachesOthers } from '../open-parking.js';
import { windowAtWork } from '../other-window.js';
import { worklogRef } from '../worklogs.js';
import type { Shown, Standing } from './types.js';

export async function standingOf(
  deps: HandoffDependencies,
  current: Pick<CurrentSessions, 'find'>,
  principal: Principal,
  connection: Connection,
  { yours, sessionKey, standing }: Shown,
): Promise<Standing | undefined> {
  if (!yours || sessionKey === undefined) return undefined;
  const state = (await deps.engine.query(worklogRef(principal.tenant, sessionKey)))?.state;
  if (!state) return undefined;
  const at = await current.find(principal, connection);
  const isOpen = liveInstruction(state, deps.now())?.takers[0] === ANYONE;
  const other = windowAtWork(state, principal, connection, deps.now(), deps.directory);
  const offered = await offeredTo(deps, principal, state);
  return {
    isAt: at?.ref.id === sessionKey,
    isLeft: isOpen && reachesOthers(connection, deps.taking),
    tookBack: standing?.tookBack ?? false,
    ...(other && { otherWindow: other }),
    ...(offered && { offered }),
  };
}

/** An instruction for an agent by name may have outlived its offer. */
async function offeredTo(
  { engine, now }: HandoffDependencies,
  { tenant }: Principal,
  state: WorklogState,
): Promise<Standing['offered']> {
  const pending = state.pending.find(({ requestType }) => requestType === RequestType.FullHandoff);
  if (pending) {
    const { sessionId, handoffId, target: to } = pending;
    const session = (await engine.query(sessionRef(tenant, sessionId)))?.state;
    const isAccepted = session !== undefined && acceptedOffer(offersOf(session)) !== undefined;
    return { to, handoffId: formatHandoffId(sessionId, handoffId), isAccepted };
  }
  const left = liveInstruction(state, now());
  const isNamed = left?.requestType === RequestType.FullHandoff && left.takers[0] !== ANYONE;
  return left && isNamed ? { to: left.takers[0], isAccepted: false } : undefined;
}
