/** Working sessions that an agent can go on with: its own, and those that were left for it or for whoever comes next. */
import {
  ANYONE,
  liveInstruction,
  noteAbout,
  ParkedBy,
  SESSION_END,
  type WorklogState,
  WorklogStatus,
} from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { Connection } from '../../connection.js';
import { ANY_PROJECT, isInProject, type WantedProject } from '../../project.js';
import { countLeft, type LeftWanted, leftWorks } from '../board/left-works.js';
import type { OpenWork } from '../board/open-work.js';
import type { Shelf } from '../board/shelf.js';
import type { HandoffDependencies } from '../dependencies.js';
import { findHandoff } from '../find-handoff.js';
import { phaseOf } from '../handoff-phase.js';
import { leftBeside } from '../left-beside.js';
import { isLeftFor, isOpenTo, mayClaim } from '../open-parking.js';
import { worklogRef } from '../worklogs.js';
import type { Candidate, Present } from './types.js';

export interface SessionsWanted {
  readonly principal: Principal;
  readonly connection: Connection;
  readonly project: WantedProject;
  readonly present: Present | undefined;
  /** Beside an offer stands the same work, left for when the offer is over. */
  readonly offered: ReadonlySet<string>;
}

export interface SessionsFor {
  /** The newest of each kind: more than are shown. */
  readonly here: readonly Candidate[];
  /** How many there are in other projects. */
  readonly elsewhere: number;
}

/** Of each kind. */
const MOST_READ = fixedLimits.boardReads.value;
const ENOUGH = 16;
const ALL = Number.POSITIVE_INFINITY;

export async function sessionsFor(
  deps: HandoffDependencies,
  shelf: Shelf,
  wanted: SessionsWanted,
): Promise<SessionsFor> {
  const { principal, connection, project, present, offered } = wanted;
  const { agent } = principal;
  const own = shelf.ownedBy(agent).newest(project, MOST_READ, ({ isEmpty }) => isEmpty !== true);
  const isOpen = (work: OpenWork) => mayClaim(principal) && isOpenTo(connection, deps.taking, work.project);
  const look = { agent, project, now: deps.now(), isOpen, offered };
  const { asked, ends } = await leftWorks(deps.board, shelf, look, MOST_READ);
  const ownOf = (state: WorklogState) => ownWork(state, connection, present, deps.now());
  const leftOf = (state: WorklogState) => leftWork(deps, state, principal, connection);
  const here = [
    ...(await candidates(deps, own, (state) => (state.owner === agent ? ownOf(state) : undefined))),
    ...(await candidates(deps, asked, leftOf)),
    ...(await candidates(deps, ends, leftOf)),
  ];
  const left = leftElsewhere(shelf, look, connection.project?.id);
  return { here, elsewhere: left + (await ownElsewhere(deps, shelf, wanted)) };
}

function leftElsewhere(shelf: Shelf, look: LeftWanted, here: WantedProject): number {
  const isElsewhere = (work: OpenWork) => !isInProject(work.project, look.project);
  const named = countLeft(shelf, look.agent, { ...look, project: ANY_PROJECT }, isElsewhere);
  // What is left for whoever comes next is open in the project of the connection alone.
  const open = here === look.project ? 0 : countLeft(shelf, ANYONE, { ...look, project: here }, isElsewhere);
  return named + open;
}

/** Reads until nothing newer can come than the candidates that there are. */
async function candidates(
  { engine }: HandoffDependencies,
  works: readonly OpenWork[],
  candidateOf: (state: WorklogState) => Candidate | undefined,
): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const { ref, at, left } of works) {
    const latest = left?.how?.at ?? at;
    if (found.length >= ENOUGH && found.filter((one) => one.at >= latest).length >= ENOUGH) break;
    const state = (await engine.query(ref))?.state;
    const one = state?.status === WorklogStatus.Active ? candidateOf(state) : undefined;
    if (one) found.push(one);
  }
  return found;
}

/** Only what may belong to the running conversation is read. */
async function ownElsewhere(
  deps: HandoffDependencies,
  shelf: Shelf,
  { principal: { agent }, connection, project, present }: SessionsWanted,
): Promise<number> {
  const works = shelf
    .ownedBy(agent)
    .newest(ANY_PROJECT, ALL, (work) => work.isEmpty !== true && !isInProject(work.project, project));
  const isOfNow = ({ ref, createdAt }: OpenWork) =>
    ref.id === present?.sessionKey || createdAt >= connection.since;
  const doubtful = works.filter(isOfNow);
  const ownOf = (state: WorklogState) => ownWork(state, connection, present, deps.now());
  const sure = await candidates(deps, doubtful.slice(0, MOST_READ), ownOf);
  return works.length - doubtful.length + sure.length;
}

/**
 * Not what the caller is at, unless it was left for others, came back, or an offer of it came to nothing: its present session, and what a hook opened for it
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
    const news =
      newsOf(state, isPresent ? present.lastAt : 0, now) ?? (isPresent ? present.returnedAt : undefined);
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
  principal: Principal,
  connection: Connection,
): Candidate | undefined {
  const left = liveInstruction(state, now());
  const anyone = mayClaim(principal) && isOpenTo(connection, taking, state.project);
  if (!left || !isLeftFor(left, principal.agent, anyone)) return undefined;
  const isEnd = left.by === ParkedBy.Hook && left.event === SESSION_END;
  const about = noteAbout(state);
  return {
    kind: isEnd ? 'left' : 'parked',
    sessionKey: state.key,
    by: state.owner,
    at: left.at,
    ...(about !== undefined && { about }),
  };
}

/** Work that is still left for its target when the offer beside it has run out of time. */
export async function outlivedOffer(
  deps: HandoffDependencies,
  principal: Principal,
  handoffId: string,
  connection: Connection,
): Promise<Candidate | undefined> {
  const found = await findHandoff(deps, principal, handoffId);
  const key = found?.session.binding?.worklog;
  if (!found || key === undefined || phaseOf(found) !== 'expired') return undefined;
  const state = (await deps.engine.query(worklogRef(principal.tenant, key)))?.state;
  const isLeft = leftBeside(state, found, deps.now()) && found.offer.target === principal.agent;
  return state && isLeft ? leftWork(deps, state, principal, connection) : undefined;
}
