/**
 * Work of others that an agent may take over now, because its owner is silent. The newest comes first.
 *
 * S1. Only where the policy lets agents take, and only in the project that is named; over HTTP one must be named.
 * S2. Neither what is left for the agent, which it picks up, nor what is offered to somebody, unless the agent accepted it and
 *     its owner does not commit.
 * S3. A bounded number of working sessions is read, those with the newest entries.
 */
import {
  ANYONE,
  acceptedOffer,
  liveInstruction,
  offersOf,
  RequestType,
  type StreamRef,
  type WorklogState,
  WorklogStatus,
} from '@handover/core';
import type { AgentStore, Engine } from '@handover/engine';
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { Connection } from '../../connection.js';
import { ANY_PROJECT, type WantedProject } from '../../project.js';
import { sessionRef } from '../../stream-refs.js';
import type { LeftNote } from '../board/open-work.js';
import type { SessionBoard } from '../board/session-board.js';
import { isLeftFor, isOpenTo } from '../open-parking.js';
import { isShared } from '../shared-work.js';
import { type SilenceSource, silenceOf } from './silence.js';

export interface SilentSource extends SilenceSource {
  readonly engine: Pick<Engine, 'list' | 'query'>;
  readonly board: Pick<SessionBoard, 'of'>;
  readonly now: () => number;
}

export interface TakingViewer {
  readonly tenant: string;
  readonly agent: string;
  readonly transport: Connection['transport'];
}

export interface SilentSession {
  readonly state: WorklogState;
  readonly lastSignAt: number;
}

/** One that the agent may take from a time on, if its owner stays silent until then. */
export interface TakeableSession extends SilentSession {
  readonly possibleAt: number;
}

export interface SoonSilent {
  readonly sessionKey: string;
  readonly owner: string;
  /** From when on it may be taken. */
  readonly possibleAt: number;
}

const MOST_READ = fixedLimits.boardReads.value;
/** Of those with the newest entries, whether they may be taken or not. */
const MOST_LOOKED_AT = 1_000;
const MOST_GIVEN = 20;
/** Whoever gave a sign within this time is at work: there is nothing to say of its work yet. */
const AT_WORK_MS = 60_000;

/** Those that may be taken now, and of the others the one that may be next. */
export async function silentSessions(
  source: SilentSource,
  viewer: TakingViewer,
  project: WantedProject,
): Promise<{ readonly silent: readonly SilentSession[]; readonly soon?: TakeableSession }> {
  const silent: SilentSession[] = [];
  const later: TakeableSession[] = [];
  const now = source.now();
  for await (const { state, lastSignAt, possibleAt } of takeable(source, viewer, project)) {
    if (isShared(state, viewer.agent)) continue;
    if (possibleAt <= now) silent.push({ state, lastSignAt });
    else if (now - lastSignAt >= AT_WORK_MS && !hadIt(state, viewer.agent))
      later.push({ state, lastSignAt, possibleAt });
    if (silent.length === MOST_GIVEN) break;
  }
  const [soon] = later.toSorted((one, other) => one.possibleAt - other.possibleAt);
  return { silent, ...(soon && { soon }) };
}

/** Whoever gave it away, or lost it, knows that another has it. */
const hadIt = ({ transfers }: WorklogState, agent: string): boolean =>
  transfers.some(({ from }) => from === agent);

/** Those that may be taken now, and those that may be later. */
export async function takeableSessions(
  source: SilentSource,
  viewer: TakingViewer,
  project: WantedProject,
): Promise<readonly TakeableSession[]> {
  const found: TakeableSession[] = [];
  for await (const one of takeable(source, viewer, project)) found.push(one);
  return found;
}

/** Which of them may be taken next. */
export function soonestOf(found: readonly TakeableSession[], now: number): SoonSilent | undefined {
  const later = found.filter(({ possibleAt }) => possibleAt > now);
  const [next] = later.toSorted((one, other) => one.possibleAt - other.possibleAt);
  return next && { sessionKey: next.state.key, owner: next.state.owner, possibleAt: next.possibleAt };
}

async function* takeable(
  source: SilentSource,
  viewer: TakingViewer,
  project: WantedProject,
): AsyncGenerator<TakeableSession> {
  const isNamed = project !== undefined && project !== ANY_PROJECT;
  if (source.taking.takeOver !== 'silent' || (viewer.transport === 'http' && !isNamed)) return;
  const known = new Map<string, ReturnType<AgentStore['find']>>();
  const find: AgentStore['find'] = (tenant, owner) => {
    const found = known.get(owner) ?? source.store.agents.find(tenant, owner);
    known.set(owner, found);
    return found;
  };
  const signs = { taking: source.taking, store: { agents: { find } } };
  for (const ref of await newestOfOthers(source, viewer, project)) {
    const state = (await source.engine.query(ref))?.state;
    if (!state || !isOpen(source, viewer, state) || (await isPromised(source, viewer, state))) continue;
    const { lastSignAt, possibleAt } = await silenceOf(signs, viewer.tenant, state);
    if (possibleAt !== undefined) yield { state, lastSignAt, possibleAt };
  }
}

/** Without what is left for the agent: it has that by another way. */
async function newestOfOthers(
  { board, taking, now }: SilentSource,
  { tenant, agent, transport }: TakingViewer,
  project: WantedProject,
): Promise<readonly StreamRef<'worklog'>[]> {
  const anyone = isOpenTo({ transport }, taking, undefined);
  const at = now();
  const isLeft = ({ taker, until }: LeftNote) =>
    at <= until && (taker === agent || (taker === ANYONE && anyone));
  const shelf = await board.of(tenant, agent);
  const works = shelf.all.newest(
    project,
    MOST_READ,
    ({ owner, project: tag, left, isEmpty, isNote }) =>
      owner !== agent &&
      !isNote &&
      isEmpty !== true &&
      (tag !== undefined || transport === 'stdio') &&
      !(left && isLeft(left)),
    MOST_LOOKED_AT,
  );
  return works.map(({ ref }) => ref);
}

/** There is something to go on with, and it is not the agent's by another way. */
function isOpen(
  { taking, now }: SilentSource,
  { agent, transport }: TakingViewer,
  state: WorklogState,
): boolean {
  if (state.status !== WorklogStatus.Active || state.owner === agent || state.lastNumber === 0) return false;
  const left = liveInstruction(state, now());
  return !left || !isLeftFor(left, agent, isOpenTo({ transport }, taking, undefined));
}

/** A full handoff is under way to somebody. One that the agent itself accepted is no reason to wait. */
async function isPromised(
  { engine }: SilentSource,
  { tenant, agent }: TakingViewer,
  { pending }: WorklogState,
): Promise<boolean> {
  const full = pending.find(({ requestType }) => requestType === RequestType.FullHandoff);
  if (!full) return false;
  const session = (await engine.query(sessionRef(tenant, full.sessionId)))?.state;
  return !session || acceptedOffer(offersOf(session))?.target !== agent;
}
