/** What is kept in memory of an open working session: enough to say whom it may concern, and how new it is. */
import {
  isFields,
  noteAbout,
  ParkedBy,
  SESSION_END,
  type StreamRef,
  WorklogEntryType,
  type WorklogState,
} from '@handover/core';
import type { StreamAppend, StreamRow } from '@handover/engine';
import { type ProjectTag, projectTag } from '../../project.js';

export interface LeftNote {
  /** An agent, or anyone. */
  readonly taker: string;
  readonly until: number;
  /** When, and whether only the end of a conversation left it. A list row does not say it: absent until it was read. */
  readonly how?: { readonly at: number; readonly isEnd: boolean };
}

export interface OpenWork {
  readonly ref: StreamRef<'worklog'>;
  readonly owner: string;
  readonly project?: ProjectTag;
  readonly createdAt: number;
  readonly left?: LeftNote;
  /** The time of its last entry: nothing in it is newer. */
  readonly at: number;
  /** Its owner goes on with nothing: it is a note for somebody. */
  readonly isNote?: true;
  /** It has no context yet; absent: that is not known. */
  readonly isEmpty?: boolean;
}

/** It is left, and nobody has read how. */
export const isUnread = (work: Pick<OpenWork, 'left'> | undefined): boolean =>
  work?.left !== undefined && !work.left.how;

/** As lists have it. */
const OPEN: readonly string[] = ['active', 'dormant'];

export const isOpenRow = ({ state }: Pick<StreamRow, 'state'>): boolean => OPEN.includes(state);

/** From a row; how it was left and what it holds is taken from what was known before, where that is still so. */
export function openWork(
  ref: StreamRef<'worklog'>,
  { createdAt, summary }: StreamRow,
  at: number,
  before?: Pick<OpenWork, 'left' | 'isEmpty'>,
): OpenWork {
  const value: unknown = JSON.parse(summary);
  const { id, owner, project, parked } = isFields(value) ? value : {};
  const tag = projectTag(project);
  const left = leftNote(parked, before?.left);
  return {
    ...{ ref, owner: String(owner), createdAt, at },
    ...(tag && { project: tag }),
    ...(left && { left }),
    ...(noteAbout({ id: String(id) }) !== undefined && { isNote: true }),
    ...(before?.isEmpty !== undefined && { isEmpty: before.isEmpty }),
  };
}

function leftNote(parked: unknown, before: LeftNote | undefined): LeftNote | undefined {
  if (!isFields(parked) || !Array.isArray(parked.takers)) return undefined;
  const note = { taker: String(parked.takers[0]), until: Number(parked.until) };
  return before?.taker === note.taker && before.until === note.until ? before : note;
}

/** With what was appended to it; undefined: it is not open any more. */
export function openWorkAfter(
  ref: StreamRef<'worklog'>,
  { row, entries }: StreamAppend,
  before: OpenWork | undefined,
): OpenWork | undefined {
  if (row ? !isOpenRow(row) : !before) return undefined;
  const at = Math.max(before?.at ?? 0, entries.at(-1)?.at ?? 0);
  const isNew = entries[0]?.seq === 1;
  const hasContext = entries.some(({ type }) => type === WorklogEntryType.ContextAdded);
  const isEmpty = hasContext ? false : isNew ? true : before?.isEmpty;
  const left = lastLeft(entries) ?? before?.left;
  const known = { ...(left && { left }), ...(isEmpty !== undefined && { isEmpty }) };
  if (row) return openWork(ref, row, at, known);
  return before && { ...before, at, ...known };
}

function lastLeft(entries: StreamAppend['entries']): LeftNote | undefined {
  const parked = entries.findLast(({ type }) => type === WorklogEntryType.Parked);
  if (!parked) return undefined;
  const { takers, until, by, event } = parked.facts;
  const isEnd = by === ParkedBy.Hook && event === SESSION_END;
  const [taker] = Array.isArray(takers) ? takers : [];
  return { taker: String(taker), until: Number(until), how: { at: parked.at, isEnd } };
}

/** With what only the session itself says. What was told meanwhile is newer. */
export function readWork(work: OpenWork, { parked, lastNumber }: WorklogState): OpenWork {
  const { left, ...rest } = work;
  const isNew = left && !left.how;
  const isSame = isNew && parked && left.taker === parked.takers[0] && left.until === parked.until;
  const isEnd = parked?.by === ParkedBy.Hook && parked.event === SESSION_END;
  const known = isSame ? { ...left, how: { at: parked.at, isEnd } } : left;
  return { ...rest, ...(known && { left: known }), isEmpty: work.isEmpty ?? lastNumber === 0 };
}

/** All of it from the session itself. */
export function workIn(ref: StreamRef<'worklog'>, state: WorklogState): OpenWork {
  const { owner, project, createdAt, parked, lastActivityAt, ownerActiveAt } = state;
  const at = Math.max(lastActivityAt, ownerActiveAt, parked?.at ?? 0);
  const left = parked && { taker: parked.takers[0], until: parked.until };
  const isNote = noteAbout(state) !== undefined;
  const about = { ...(project && { project }), ...(left && { left }), ...(isNote && { isNote }) };
  return readWork({ ref, owner, createdAt, at, ...about }, state);
}
