/** Finds what waits for an agent in a project. It only looks, so it works on a server and on a folder that nobody serves. */
import {
  ANYONE,
  isFields,
  liveInstruction,
  mayPickUp,
  offersOf,
  ParkedBy,
  readNotes,
  StreamKind,
  type WorklogState,
  WorklogStatus,
} from '@handover/core';
import type { Engine, ListedStream } from '@handover/engine';
import { fixedLimits } from '../../config/fixed-limits.js';
import { listedRows } from '../listed-rows.js';
import { isInProject, projectTag, type WantedProject } from '../project.js';
import { type EntrySource, readBriefEntry } from './context-entries.js';
import { phaseOf } from './handoff-phase.js';
import type { HookItem, HookItems } from './hook-text.js';
import { formatHandoffId } from './ids.js';
import { worklogRef } from './worklogs.js';

export interface WaitingSource extends EntrySource {
  readonly engine: Pick<Engine, 'list' | 'query'>;
  readonly now: () => number;
}

export interface Viewer {
  readonly tenant: string;
  readonly agent: string;
  readonly project?: WantedProject;
  /** What was left for whoever comes next is for this agent, too. */
  readonly openParking: boolean;
  /** The session that the agent is at: not one to go on with. */
  readonly except?: string;
}

const MAX_LOOKED_AT = fixedLimits.hookSessions.value;
const RECENT_MS = 7 * 86_400_000;

interface Found {
  readonly item: HookItem;
  readonly state?: WorklogState;
}

export async function whatWaits(look: WaitingSource, viewer: Viewer): Promise<HookItems> {
  const [offers, acceptances] = await boundSessions(look, viewer);
  const parked: Found[] = [];
  const left: Found[] = [];
  let own: Found | undefined;
  for (const state of await sessionsOfInterest(look, viewer)) {
    const { owner, lastActivityAt, key } = state;
    if (owner === viewer.agent) {
      const newer = !own || lastActivityAt > own.item.at;
      if (newer && state.lastNumber > 0 && key !== viewer.except)
        own = { state, item: { sessionKey: key, by: owner, at: lastActivityAt } };
      continue;
    }
    const instruction = liveInstruction(state, look.now());
    // Beside an offer stands the same work, left for when the offer is over.
    if (!instruction || offers.some(({ item }) => item.sessionKey === key)) continue;
    const found = { state, item: { sessionKey: key, by: owner, at: instruction.at } };
    const isEnd = instruction.by === ParkedBy.Hook && instruction.event === 'SessionEnd';
    (isEnd ? left : parked).push(found);
  }
  const shown = (found: readonly Found[]) =>
    Promise.all(
      newestFirst(found).map((one, index) => (index < 5 ? withWords(look, viewer, one) : one.item)),
    );
  return {
    offers: await shown(offers),
    acceptances: newestFirst(acceptances).map(({ item }) => item),
    parked: await shown(parked),
    left: newestFirst(left).map(({ item }) => item),
    ...(own && { own: await withWords(look, viewer, own) }),
  };
}

/** Offers to the agent, and answers that wait for it. */
async function boundSessions(look: WaitingSource, viewer: Viewer): Promise<readonly [Found[], Found[]]> {
  const { tenant, agent } = viewer;
  const offers: Found[] = [];
  const acceptances: Found[] = [];
  for (const role of ['target', 'initiator'] as const)
    for (const { ref } of await rowsOf(look, { tenant, kind: StreamKind.Session, agent, role })) {
      const session = (await look.engine.query(ref))?.state;
      if (!session || session.deadline <= look.now()) continue;
      const key = session.binding?.worklog;
      const state = key === undefined ? undefined : (await look.engine.query(worklogRef(tenant, key)))?.state;
      if (!isInProject(state?.project, viewer.project)) continue;
      for (const offer of offersOf(session).offers) {
        const phase = phaseOf({ session, offer });
        const about = { sessionKey: key ?? ref.id, ...(state && { state }) };
        if (role === 'target' && phase === 'offered' && offer.target === agent)
          offers.push(
            foundOf(about, offer.offeredBy, offer.offeredAt, formatHandoffId(ref.id, offer.handoffId)),
          );
        if (role === 'initiator' && phase === 'accepted' && offer.offeredBy === agent)
          acceptances.push(foundOf(about, offer.target, offer.answeredAt ?? offer.offeredAt));
      }
    }
  return [offers, acceptances];
}

const foundOf = (
  { sessionKey, state }: { readonly sessionKey: string; readonly state?: WorklogState },
  by: string,
  at: number,
  handoffId?: string,
): Found => ({
  item: { sessionKey, by, at, ...(handoffId !== undefined && { handoffId }) },
  ...(state && { state }),
});

/** The agent's own sessions, and those that were left for it: what the rows say decides which are read. */
async function sessionsOfInterest(look: WaitingSource, viewer: Viewer): Promise<readonly WorklogState[]> {
  const { tenant, agent } = viewer;
  const states: WorklogState[] = [];
  for (const { ref, row } of await rowsOf(look, { tenant, kind: StreamKind.Worklog })) {
    if (!concerns(row.summary, viewer)) continue;
    const state = (await look.engine.query(ref))?.state;
    if (!state || state.status !== WorklogStatus.Active || !isInProject(state.project, viewer.project))
      continue;
    const instruction = liveInstruction(state, look.now());
    const isOpen = viewer.openParking || instruction?.takers[0] !== ANYONE;
    const isRecent = look.now() - state.lastActivityAt <= RECENT_MS;
    if (state.owner === agent ? isRecent : instruction && isOpen && mayPickUp(instruction, agent))
      states.push(state);
  }
  return states;
}

function concerns(summary: string, { agent, project }: Viewer): boolean {
  const value: unknown = JSON.parse(summary);
  if (!isFields(value)) return false;
  return (value.owner === agent || isFields(value.parked)) && isInProject(projectTag(value.project), project);
}

async function rowsOf<K extends StreamKind>(
  { engine }: WaitingSource,
  query: { readonly tenant: string; readonly kind: K; readonly agent?: string; readonly role?: string },
): Promise<readonly ListedStream<K>[]> {
  const rows: ListedStream<K>[] = [];
  for await (const row of listedRows(engine, query)) {
    rows.push(row);
    if (rows.length >= MAX_LOOKED_AT) break;
  }
  return rows;
}

const newestFirst = (found: readonly Found[]): readonly Found[] =>
  found.toSorted((one, other) => other.item.at - one.item.at);

/** The newest goal, and the next step that was said with it; else what a capture says was asked first. */
async function withWords(look: WaitingSource, { tenant }: Viewer, { item, state }: Found): Promise<HookItem> {
  const number = state?.goalSequence ?? state?.lastNumber ?? 0;
  if (!state || number === 0) return item;
  const entry = await readBriefEntry(look, worklogRef(tenant, state.key), number);
  if (!entry) return item;
  const { notes } = readNotes(entry);
  const note = (kind: string) => notes.find((one) => one.kind === kind)?.text;
  const goal = note('goal') ?? askedFirst(entry.content);
  const next = note('next');
  return { ...item, ...(goal !== undefined && { goal }), ...(next !== undefined && { next }) };
}

const askedFirst = (content: string): string | undefined =>
  /(?:^|\n)## First asked\n- (.*(?:\n {2}.*)*)/.exec(content)?.[1]?.replace(/\n {2}/g, '\n');
