/**
 * Working sessions with the newest activity first. The order comes from the last entry of each, which the store knows; only
 * what is shown is read. More than so many are not sorted, and the answer says so.
 */
import {
  liveInstruction,
  type Parked,
  readableUpTo,
  StreamKind,
  type StreamRef,
  type WorklogState,
  WorklogStatus,
} from '@handover/core';
import type { ListedStream } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Connection } from '../connection.js';
import { listedRows } from '../listed-rows.js';
import { pageToken, readPageToken } from '../page-token.js';
import { isInProject, type ProjectTag, projectTag } from '../project.js';
import type { HandoffDependencies } from './dependencies.js';
import { isLeftFor, isOpenTo, mayClaim } from './open-parking.js';
import { badCursor } from './pages.js';
import { isShared } from './shared-work.js';
import { titleOf } from './shown/title.js';
import { type TakeableSession, takeableSessions } from './take/silent-sessions.js';
import type { HandoffService, SessionRow } from './types.js';
import { worklogRef } from './worklogs.js';

type Args = Parameters<HandoffService['newestSessions']>[1];

interface Place {
  readonly at: number;
  readonly key: string;
}

interface Candidate extends Place {
  readonly ref: StreamRef<'worklog'>;
}

interface Viewer {
  readonly agent: string;
  readonly connection: Pick<Connection, 'transport' | 'project'>;
}

/** What of a session the caller may read, and whether it may take it over. */
interface Reach {
  readonly upTo: number | undefined;
  readonly may: TakeableSession | undefined;
}

const MAX_SORTED = fixedLimits.searchedSessions.value;
const HEADS_AT_ONCE = 500;

export async function newestSessions(
  deps: HandoffDependencies,
  principal: Principal,
  { project, status, cursor, limit }: Args,
  connection: Viewer['connection'],
): ReturnType<HandoffService['newestSessions']> {
  const place = cursor === undefined ? undefined : readPlace(cursor);
  if (cursor !== undefined && !place) return { rejection: badCursor() };
  const { refs, complete } = await wantedRefs(deps, principal, (row) => isWanted(row, project, status));
  const takeable = status === 'completed' ? [] : await takeableIn(deps, principal, project, connection);
  const silent = new Map(takeable.map((one) => [one.state.key, one]));
  const listed = new Set(refs.map(({ id }) => id));
  const others = takeable.filter(({ state }) => !listed.has(state.key));
  const all = [...refs, ...others.map(({ state }) => worklogRef(principal.tenant, state.key))];
  const ordered = (await candidates(deps, all)).filter((one) => !place || comesBefore(place, one));
  const sessions: SessionRow[] = [];
  for (const candidate of ordered) {
    const state = (await deps.engine.query(candidate.ref))?.state;
    if (!state) continue;
    const may = silent.get(state.key);
    const upTo = readableUpTo(state, principal.agent) ?? takeableUpTo(may, deps.now());
    if (upTo === undefined && !may) continue;
    if (sessions.length === limit) return { value: { sessions, hasMore: true, complete } };
    sessions.push(await rowOf(deps, { agent: principal.agent, connection }, candidate, state, { upTo, may }));
  }
  return { value: { sessions, hasMore: false, complete } };
}

/** Of the project that is asked for, and of the caller's own: it takes nothing over elsewhere. */
async function takeableIn(
  deps: HandoffDependencies,
  principal: Principal,
  wanted: Args['project'],
  { transport, project }: Pick<Connection, 'transport' | 'project'>,
): Promise<readonly TakeableSession[]> {
  if (!mayClaim(principal)) return [];
  const { tenant, agent } = principal;
  const found = await takeableSessions(deps, { tenant, agent, transport }, project?.id);
  return found.filter(({ state }) => isInProject(state.project, wanted));
}

/** Before its time has come, the caller learns only that there is such work, and whose it is. */
const takeableUpTo = (may: TakeableSession | undefined, now: number): number | undefined =>
  may && may.possibleAt <= now ? may.state.lastNumber : undefined;

async function wantedRefs(
  { engine }: HandoffDependencies,
  { tenant, agent }: Principal,
  wanted: (row: ListedStream<'worklog'>['row']) => boolean,
): Promise<{ readonly refs: readonly StreamRef<'worklog'>[]; readonly complete: boolean }> {
  const refs: StreamRef<'worklog'>[] = [];
  for await (const { ref, row } of listedRows(engine, { tenant, kind: StreamKind.Worklog, agent })) {
    if (!wanted(row)) continue;
    if (refs.length === MAX_SORTED) return { refs, complete: false };
    refs.push(ref);
  }
  return { refs, complete: true };
}

/** A dormant one is active. */
const WORDS: Readonly<Record<Args['status'], readonly string[] | undefined>> = {
  active: [WorklogStatus.Active, 'dormant'],
  completed: [WorklogStatus.Completed],
  all: undefined,
};

function isWanted(
  { state, summary }: ListedStream['row'],
  project: string | undefined,
  status: Args['status'],
): boolean {
  return (WORDS[status]?.includes(state) ?? true) && isInProject(projectIn(summary), project);
}

const projectIn = (summary: string): ProjectTag | undefined =>
  projectTag((JSON.parse(summary) as { readonly project?: unknown }).project);

async function candidates(
  { store }: HandoffDependencies,
  refs: readonly StreamRef<'worklog'>[],
): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (let from = 0; from < refs.length; from += HEADS_AT_ONCE) {
    const piece = refs.slice(from, from + HEADS_AT_ONCE);
    const heads = await store.heads(piece);
    for (const [i, ref] of piece.entries()) found.push({ ref, key: ref.id, at: heads[i]?.at ?? 0 });
  }
  return found.sort((a, b) => (comesBefore(a, b) ? -1 : 1));
}

const comesBefore = (a: Place, b: Place): boolean => a.at > b.at || (a.at === b.at && a.key < b.key);

async function rowOf(
  deps: HandoffDependencies,
  viewer: Viewer,
  { ref, at, key }: Candidate,
  state: WorklogState,
  { upTo, may }: Reach,
): Promise<SessionRow> {
  const title = upTo === undefined ? undefined : await titleOf(deps, ref.tenant, state, upTo);
  const parked = leftAsSeen(deps, viewer, state);
  return {
    sessionKey: state.key,
    ...(title && { title: title.text }),
    owner: state.owner,
    status: state.status,
    ...(state.project && { project: state.project }),
    lastActivityAt: state.lastActivityAt,
    ...(upTo !== undefined && { lastSequence: upTo }),
    ...(isShared(state, viewer.agent) && { shared: true as const }),
    ...(may && { silentSince: may.lastSignAt, takeFrom: may.possibleAt }),
    ...(parked && { parkedFor: parked.takers[0] }),
    cursor: pageToken('newestSessions', JSON.stringify([at, key])),
  };
}

/** For whom it was left; to others than its owner only what they can have themselves. */
function leftAsSeen(
  { now, taking }: HandoffDependencies,
  { agent, connection }: Viewer,
  state: WorklogState,
): Parked | undefined {
  const left = liveInstruction(state, now());
  if (!left || state.owner === agent) return left;
  return isLeftFor(left, agent, isOpenTo(connection, taking, state.project)) ? left : undefined;
}

function readPlace(cursor: string): Place | undefined {
  try {
    const [at, key] = JSON.parse(readPageToken('newestSessions', cursor) ?? '') as readonly unknown[];
    return Number.isSafeInteger(at) && typeof key === 'string' ? { at: at as number, key } : undefined;
  } catch {
    return undefined;
  }
}
