/** The agent's own sessions, and those that were left for it: what is known of all decides which are read. */
import { liveInstruction, type Parked, RequestType, type WorklogState, WorklogStatus } from '@handover/core';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { isInProject } from '../../project.js';
import { leftWorks } from '../board/left-works.js';
import type { OpenWork } from '../board/open-work.js';
import { sharedWork } from '../shared-work.js';
import type { Found, Viewer, WaitingSource } from './look.js';

export interface OpenSessions {
  readonly parked: readonly Found[];
  /** Left by the end of a conversation, without a word of its owner. */
  readonly left: readonly Found[];
  readonly own: readonly Found[];
  /** Of others, to which the agent writes with its owner. */
  readonly shared: readonly Found[];
  /** How many more were left than were read; infinity: more than are counted. */
  readonly unread: number;
}

const RECENT_MS = 7 * 86_400_000;
/** Of each kind: more than a new conversation is told. */
const MOST = 10;
const COUNTED = fixedLimits.boardReads.value;

export async function openSessions(
  look: WaitingSource,
  viewer: Viewer,
  /** Beside an offer stands the same work, left for when the offer is over. */
  offered: ReadonlySet<string>,
): Promise<OpenSessions> {
  const { tenant, agent, project, openParking, most = MOST } = viewer;
  const now = look.now();
  const shelf = await look.board.of(tenant, agent);
  const wanted = { agent, project, now, offered, isOpen: () => openParking };
  const { asked, ends } = await leftWorks(look.board, shelf, wanted, Math.max(most, COUNTED));
  const own = shelf
    .ownedBy(agent)
    .newest(project, most, ({ isEmpty, at }) => isEmpty !== true && now - at <= RECENT_MS);
  const left = (state: WorklogState) => leftItem(state, now);
  return {
    parked: await read(look, asked.slice(0, most), left),
    left: await read(look, ends.slice(0, most), left),
    own: await read(look, own, (state) => (state.owner === agent ? ownItem(state, now) : undefined)),
    shared: await sharedOf(look, viewer, most),
    unread: beyond(asked, most) + beyond(ends, most),
  };
}

async function sharedOf(look: WaitingSource, viewer: Viewer, most: number): Promise<readonly Found[]> {
  const isNow = ({ project, lastNumber, lastActivityAt }: WorklogState) =>
    lastNumber > 0 && isInProject(project, viewer.project) && look.now() - lastActivityAt <= RECENT_MS;
  const shared = (await sharedWork(look, viewer)).filter(isNow);
  return shared.slice(0, most).map((state) => ({
    state,
    item: { sessionKey: state.key, by: state.owner, at: state.lastActivityAt },
  }));
}

const beyond = ({ length }: readonly OpenWork[], most: number): number =>
  length >= Math.max(most, COUNTED) ? Number.POSITIVE_INFINITY : Math.max(0, length - most);

async function read(
  { engine }: WaitingSource,
  works: readonly OpenWork[],
  itemOf: (state: WorklogState) => Found['item'] | undefined,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const { ref } of works) {
    const state = (await engine.query(ref))?.state;
    const item = state?.status === WorklogStatus.Active ? itemOf(state) : undefined;
    if (state && item) found.push({ state, item });
  }
  return found;
}

function leftItem(state: WorklogState, now: number): Found['item'] | undefined {
  const instruction = liveInstruction(state, now);
  if (!instruction) return undefined;
  const { at, until, takers } = instruction;
  return { sessionKey: state.key, by: state.owner, at, until, to: takers[0] };
}

function ownItem(state: WorklogState, now: number): Found['item'] | undefined {
  const { key, owner, lastActivityAt, lastNumber } = state;
  if (lastNumber === 0 || now - lastActivityAt > RECENT_MS) return undefined;
  const to = givenTo(state, liveInstruction(state, now));
  return { sessionKey: key, by: owner, at: lastActivityAt, ...(to !== undefined && { to }) };
}

/** For whom its owner wants to give it away. */
const givenTo = ({ pending }: WorklogState, instruction: Parked | undefined): string | undefined =>
  [
    ...(instruction ? [{ requestType: instruction.requestType, target: instruction.takers[0] }] : []),
    ...pending,
  ].find(({ requestType }) => requestType === RequestType.FullHandoff)?.target;
