/** The agent's own sessions, and those that were left for it: what the list rows say decides which are read. */
import {
  ANYONE,
  isFields,
  liveInstruction,
  mayPickUp,
  type Parked,
  ParkedBy,
  RequestType,
  SESSION_END,
  StreamKind,
  type WorklogState,
  WorklogStatus,
} from '@handover/core';
import { isInProject, projectTag } from '../../project.js';
import { type Found, rowsOf, type Viewer, type WaitingSource } from './look.js';

export interface OpenSessions {
  readonly parked: readonly Found[];
  /** Left by the end of a conversation, without a word of its owner. */
  readonly left: readonly Found[];
  readonly own: readonly Found[];
}

const RECENT_MS = 7 * 86_400_000;

export async function openSessions(
  look: WaitingSource,
  viewer: Viewer,
  /** Beside an offer stands the same work, left for when the offer is over. */
  offered: ReadonlySet<string>,
): Promise<OpenSessions> {
  const parked: Found[] = [];
  const left: Found[] = [];
  const own: Found[] = [];
  for (const state of await sessionsOfInterest(look, viewer)) {
    const { owner, lastActivityAt, key } = state;
    const instruction = liveInstruction(state, look.now());
    if (owner === viewer.agent) {
      const to = givenTo(state, instruction);
      const item = { sessionKey: key, by: owner, at: lastActivityAt, ...(to !== undefined && { to }) };
      if (state.lastNumber > 0) own.push({ state, item });
      continue;
    }
    if (!instruction || offered.has(key)) continue;
    const { at, until, takers } = instruction;
    const found = { state, item: { sessionKey: key, by: owner, at, until, to: takers[0] } };
    const isEnd = instruction.by === ParkedBy.Hook && instruction.event === SESSION_END;
    (isEnd ? left : parked).push(found);
  }
  return { parked, left, own };
}

/** For whom its owner wants to give it away. */
const givenTo = ({ pending }: WorklogState, instruction: Parked | undefined): string | undefined =>
  [
    ...(instruction ? [{ requestType: instruction.requestType, target: instruction.takers[0] }] : []),
    ...pending,
  ].find(({ requestType }) => requestType === RequestType.FullHandoff)?.target;

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

export function concerns(summary: string, { agent, project }: Pick<Viewer, 'agent' | 'project'>): boolean {
  const value: unknown = JSON.parse(summary);
  if (!isFields(value)) return false;
  return (value.owner === agent || isFields(value.parked)) && isInProject(projectTag(value.project), project);
}
