/**
 * Work of others that an agent may take over now, because its owner is silent. The newest comes first.
 *
 * S1. Only where the policy lets agents take, and only in the project that is named; over HTTP one must be named.
 * S2. Neither what is left for the agent, which it picks up, nor what is offered to somebody, unless the agent accepted it and
 *     its owner does not commit.
 * S3. A bounded number of rows is read, and a bounded number of working sessions, the newest.
 */
import {
  acceptedOffer,
  isFields,
  liveInstruction,
  offersOf,
  RequestType,
  StreamKind,
  type StreamRef,
  type WorklogState,
  WorklogStatus,
} from '@handover/core';
import type { Engine, Store } from '@handover/engine';
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { Connection } from '../../connection.js';
import { listedRows } from '../../listed-rows.js';
import { ANY_PROJECT, isInProject, projectTag, type WantedProject } from '../../project.js';
import { sessionRef } from '../../stream-refs.js';
import { isLeftFor, isOpenTo } from '../open-parking.js';
import { type SilenceSource, silenceOf } from './silence.js';

export interface SilentSource extends SilenceSource {
  readonly engine: Pick<Engine, 'list' | 'query'>;
  readonly store: SilenceSource['store'] & Pick<Store, 'heads'>;
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

export interface SoonSilent {
  readonly sessionKey: string;
  readonly owner: string;
  /** From when on it may be taken. */
  readonly possibleAt: number;
}

const ROWS = fixedLimits.hookSessions.value;
const HEADS_AT_ONCE = 500;
const MOST_READ = 100;
const MOST_GIVEN = 20;

export async function silentSessions(
  source: SilentSource,
  viewer: TakingViewer,
  project: WantedProject,
): Promise<readonly SilentSession[]> {
  const found: SilentSession[] = [];
  for await (const { state, lastSignAt, possibleAt } of takeable(source, viewer, project)) {
    if (possibleAt <= source.now()) found.push({ state, lastSignAt });
    if (found.length === MOST_GIVEN) break;
  }
  return found;
}

/** Which one may be taken next, if its owner stays silent until then. */
export async function nextSilentSession(
  source: SilentSource,
  viewer: TakingViewer,
  project: WantedProject,
): Promise<SoonSilent | undefined> {
  let next: SoonSilent | undefined;
  for await (const { state, possibleAt } of takeable(source, viewer, project))
    if (possibleAt > source.now() && possibleAt < (next?.possibleAt ?? Number.POSITIVE_INFINITY))
      next = { sessionKey: state.key, owner: state.owner, possibleAt };
  return next;
}

async function* takeable(
  source: SilentSource,
  viewer: TakingViewer,
  project: WantedProject,
): AsyncGenerator<SilentSession & { readonly possibleAt: number }> {
  const isNamed = project !== undefined && project !== ANY_PROJECT;
  if (source.taking.takeOver !== 'silent' || (viewer.transport === 'http' && !isNamed)) return;
  for (const ref of await newestOfOthers(source, viewer, project)) {
    const state = (await source.engine.query(ref))?.state;
    if (!state || !isOpen(source, viewer, state) || (await isPromised(source, viewer, state))) continue;
    const { lastSignAt, possibleAt } = await silenceOf(source, viewer.tenant, state);
    if (possibleAt !== undefined) yield { state, lastSignAt, possibleAt };
  }
}

async function newestOfOthers(
  { engine, store }: SilentSource,
  viewer: TakingViewer,
  project: WantedProject,
): Promise<readonly StreamRef<'worklog'>[]> {
  const refs: StreamRef<'worklog'>[] = [];
  let rows = 0;
  for await (const { ref, row } of listedRows(engine, { tenant: viewer.tenant, kind: StreamKind.Worklog })) {
    if (['active', 'dormant'].includes(row.state) && isOfOthers(row.summary, viewer, project)) refs.push(ref);
    if (++rows === ROWS) break;
  }
  const dated: { readonly ref: StreamRef<'worklog'>; readonly at: number }[] = [];
  for (let from = 0; from < refs.length; from += HEADS_AT_ONCE) {
    const piece = refs.slice(from, from + HEADS_AT_ONCE);
    const heads = await store.heads(piece);
    for (const [i, ref] of piece.entries()) dated.push({ ref, at: heads[i]?.at ?? 0 });
  }
  return dated
    .sort((one, other) => other.at - one.at)
    .slice(0, MOST_READ)
    .map(({ ref }) => ref);
}

function isOfOthers(summary: string, { agent, transport }: TakingViewer, project: WantedProject): boolean {
  const value: unknown = JSON.parse(summary);
  if (!isFields(value) || value.owner === agent) return false;
  const tag = projectTag(value.project);
  return (tag !== undefined || transport === 'stdio') && isInProject(tag, project);
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
