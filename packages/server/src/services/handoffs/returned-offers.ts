/**
 * What became of an agent's own offers that moved nothing: declined, or out of time. Each stands there until its owner offers
 * the same again, leaves it to others or closes the session, so that whoever was away for long learns it, too. Of one whose
 * time is over but that its target may still pick up, that is said.
 */
import {
  isTerminal,
  liveInstruction,
  offersOf,
  ParkedBy,
  RequestType,
  StreamKind,
  type WorklogState,
  WorklogStatus,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { listedRows } from '../listed-rows.js';
import { isInProject, type WantedProject } from '../project.js';
import type { HandoffDependencies } from './dependencies.js';
import type { FoundHandoff } from './find-handoff.js';
import { phaseOf } from './handoff-phase.js';
import type { HandoffTextReader } from './handoff-texts.js';
import { viewHandoff } from './handoff-view.js';
import { leftBeside } from './left-beside.js';
import type { ReturnedOffer } from './types.js';
import { worklogRef } from './worklogs.js';

/** No offer stands longer. */
const RECENT_MS = 30 * 86_400_000;
/** Of the caller's sessions, as many of the newest are looked at. */
const LOOKED_AT = 200;
/** More than a list shows. */
const MOST = 20;

export interface ReturnedWanted {
  readonly project?: WantedProject;
  readonly sessionKey?: string;
}

export async function returnedOffers(
  deps: HandoffDependencies,
  texts: HandoffTextReader,
  principal: Principal,
  wanted: ReturnedWanted,
): Promise<readonly ReturnedOffer[]> {
  const { tenant, agent } = principal;
  const found: ReturnedOffer[] = [];
  // The newest offer of a kind says what became of the work; what came before it is no news any more.
  const seen = new Set<string>();
  let looked = 0;
  const newest = { newestFirst: { idPrefix: '' } };
  const rows = listedRows(deps.engine, {
    tenant,
    kind: StreamKind.Session,
    agent,
    role: 'initiator',
    ...newest,
  });
  for await (const { ref, row } of rows) {
    if (++looked > LOOKED_AT || row.createdAt <= deps.now() - RECENT_MS || found.length === MOST) break;
    const session = (await deps.engine.query(ref))?.state;
    const { worklog: key, requestType = '' } = session?.binding ?? {};
    const offer = session && offersOf(session).offers.at(-1);
    if (!session || !offer || key === undefined || seen.has(`${requestType} ${key}`)) continue;
    seen.add(`${requestType} ${key}`);
    if (wanted.sessionKey !== undefined && wanted.sessionKey !== key) continue;
    const state = (await deps.engine.query(worklogRef(tenant, key)))?.state;
    const handoff = { ref, session, offer };
    if (!state || !isOwn(state, principal, wanted) || !hasReturned(state, handoff, deps.now())) continue;
    const view = await viewHandoff(texts, principal, handoff);
    found.push({ ...view, stillLeft: view.phase === 'expired' && isLeft(state, handoff, deps.now()) });
  }
  return found;
}

const isLeft = (...given: Parameters<typeof leftBeside>): boolean => leftBeside(...given) !== undefined;

function isOwn(state: WorklogState, { agent }: Principal, { project }: ReturnedWanted): boolean {
  return (
    state.owner === agent && state.status === WorklogStatus.Active && isInProject(state.project, project)
  );
}

function hasReturned(state: WorklogState, found: FoundHandoff, now: number): boolean {
  const phase = phaseOf(found);
  // What its owner has yet to settle is listed with what is pending.
  if (phase !== 'expired' && (phase !== 'declined' || !isTerminal(found.session.status))) return false;
  return !isLeftAgain(state, found, now);
}

/** Its owner left the work for somebody else meanwhile. */
export function isLeftAgain(state: WorklogState, found: FoundHandoff, now: number): boolean {
  const left = liveInstruction(state, now);
  const isWhole = found.session.binding?.requestType === RequestType.FullHandoff;
  return isWhole && left?.by === ParkedBy.Owner && !leftBeside(state, found, now);
}
