/**
 * Working sessions with the newest activity first. The order comes from the last entry of each, which the store knows; only
 * what is shown is read. More than so many are not sorted, and the answer says so.
 */
import {
  liveInstruction,
  notedIn,
  readableUpTo,
  StreamKind,
  type StreamRef,
  type WorklogState,
  WorklogStatus,
} from '@handover/core';
import type { ListedStream } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { listedRows } from '../listed-rows.js';
import { pageToken, readPageToken } from '../page-token.js';
import { isInProject, type ProjectTag, projectTag } from '../project.js';
import { readBriefEntry } from './context-entries.js';
import type { HandoffDependencies } from './dependencies.js';
import { badCursor } from './pages.js';
import type { HandoffService, SessionRow } from './types.js';

type Args = Parameters<HandoffService['newestSessions']>[1];

interface Place {
  readonly at: number;
  readonly key: string;
}

interface Candidate extends Place {
  readonly ref: StreamRef<'worklog'>;
}

const MAX_SORTED = fixedLimits.searchedSessions.value;
const HEADS_AT_ONCE = 500;

export async function newestSessions(
  deps: HandoffDependencies,
  principal: Principal,
  { project, status, cursor, limit }: Args,
): ReturnType<HandoffService['newestSessions']> {
  const place = cursor === undefined ? undefined : readPlace(cursor);
  if (cursor !== undefined && !place) return { rejection: badCursor() };
  const { refs, complete } = await wantedRefs(deps, principal, (row) => isWanted(row, project, status));
  const ordered = (await candidates(deps, refs)).filter((one) => !place || comesBefore(place, one));
  const sessions: SessionRow[] = [];
  for (const candidate of ordered) {
    const state = (await deps.engine.query(candidate.ref))?.state;
    const upTo = state && readableUpTo(state, principal.agent);
    if (!state || upTo === undefined) continue;
    if (sessions.length === limit) return { value: { sessions, hasMore: true, complete } };
    sessions.push(await rowOf(deps, candidate, state, upTo));
  }
  return { value: { sessions, hasMore: false, complete } };
}

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
  { ref, at, key }: Candidate,
  state: WorklogState,
  upTo: number,
): Promise<SessionRow> {
  const goal = await goalOf(deps, ref, state, upTo);
  const parked = liveInstruction(state, deps.now());
  return {
    sessionKey: state.key,
    ...(goal !== undefined && { goal }),
    owner: state.owner,
    status: state.status,
    ...(state.project && { project: state.project }),
    lastActivityAt: state.lastActivityAt,
    lastSequence: upTo,
    ...(parked && { parkedFor: parked.takers[0] }),
    cursor: pageToken('newestSessions', JSON.stringify([at, key])),
  };
}

/** The newest goal, if the caller may read it. */
async function goalOf(
  deps: HandoffDependencies,
  ref: StreamRef,
  { goalSequence = 0 }: WorklogState,
  upTo: number,
): Promise<string | undefined> {
  if (goalSequence < 1 || goalSequence > upTo) return undefined;
  const entry = await readBriefEntry(deps, ref, goalSequence);
  return entry && notedIn(entry, 'goal', 'last');
}

function readPlace(cursor: string): Place | undefined {
  try {
    const [at, key] = JSON.parse(readPageToken('newestSessions', cursor) ?? '') as readonly unknown[];
    return Number.isSafeInteger(at) && typeof key === 'string' ? { at: at as number, key } : undefined;
  } catch {
    return undefined;
  }
}
