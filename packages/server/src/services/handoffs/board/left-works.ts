/**
 * What others left for an agent: with a word of theirs, and, apart from that, by the end of a conversation. The newest come
 * first, and only so many of each.
 */
import type { WantedProject } from '../../project.js';
import type { OpenWork } from './open-work.js';
import type { SessionBoard } from './session-board.js';
import type { Shelf } from './shelf.js';

export interface LeftWanted {
  readonly agent: string;
  readonly project: WantedProject;
  readonly now: number;
  /** Whether it may have this one, which is left for whoever comes next. */
  readonly isOpen: (work: OpenWork) => boolean;
  /** Not these. */
  readonly offered: ReadonlySet<string>;
  readonly most: number;
}

export interface LeftWorks {
  readonly asked: readonly OpenWork[];
  readonly ends: readonly OpenWork[];
  /** How many more there are. */
  readonly more: number;
}

export async function leftWorks(
  board: Pick<SessionBoard, 'learn'>,
  shelf: Shelf,
  wanted: LeftWanted,
): Promise<LeftWorks> {
  await board.learn(
    shelf,
    liveLeft(shelf, wanted, ({ left }) => left?.how === undefined),
  );
  const asked = liveLeft(shelf, wanted, ({ left }) => left?.how?.isEnd === false);
  const ends = liveLeft(shelf, wanted, ({ left }) => left?.how?.isEnd === true);
  const { most } = wanted;
  const more = Math.max(0, asked.length - most) + Math.max(0, ends.length - most);
  return { asked: asked.slice(0, most), ends: ends.slice(0, most), more };
}

/** All of them, by the time when they were left. */
export function liveLeft(
  shelf: Shelf,
  { agent, project, now, isOpen, offered }: Omit<LeftWanted, 'most'>,
  isWanted: (work: OpenWork) => boolean,
): readonly OpenWork[] {
  const isLive = (work: OpenWork): boolean =>
    work.owner !== agent &&
    work.left !== undefined &&
    now <= work.left.until &&
    !offered.has(work.ref.id) &&
    isWanted(work);
  const all = Number.POSITIVE_INFINITY;
  const named = shelf.leftFor(agent).newest(project, all, isLive);
  const open = shelf.leftForAnyone.newest(project, all, (work) => isLive(work) && isOpen(work));
  return open.length === 0 ? named : [...named, ...open].sort((one, other) => leftAt(other) - leftAt(one));
}

const leftAt = ({ left, at }: OpenWork): number => left?.how?.at ?? at;
