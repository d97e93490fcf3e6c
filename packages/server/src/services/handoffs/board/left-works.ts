/**
 * What others left for an agent: with a word of theirs, and, apart from that, by the end of a conversation. The newest come
 * first, and only so many of each.
 */
import { ANYONE } from '@handover/core';
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { WantedProject } from '../../project.js';
import type { OpenWork } from './open-work.js';
import type { SessionBoard } from './session-board.js';
import type { HowLeft, Shelf } from './shelf.js';

export interface LeftWanted {
  readonly agent: string;
  readonly project: WantedProject;
  readonly now: number;
  /** Whether it may have this one, which is left for whoever comes next. */
  readonly isOpen: (work: OpenWork) => boolean;
  /** Not these. */
  readonly offered: ReadonlySet<string>;
}

export interface LeftWorks {
  readonly asked: readonly OpenWork[];
  readonly ends: readonly OpenWork[];
}

const HOW: readonly HowLeft[] = ['asked', 'end', 'unread'];
/**
 * After a start nothing is known of how work was left. One look reads so many of those with the newest entries, and the next
 * one goes on: nobody waits until all of them are read.
 */
const MOST_LEARNED = fixedLimits.boardLearns.value;

/** At most so many of each. */
export async function leftWorks(
  board: Pick<SessionBoard, 'learn' | 'turn'>,
  shelf: Shelf,
  wanted: LeftWanted,
  most: number,
): Promise<LeftWorks> {
  const { agent, project } = wanted;
  const isLive = liveFor(wanted);
  const unread = takersOf(agent).flatMap((taker) =>
    shelf.leftFor(taker, 'unread').newest(project, MOST_LEARNED, isLive),
  );
  if (unread[0]) {
    await board.learn(shelf, unread);
    // Whoever waited for the same goes on now, too.
    await board.turn(unread[0].ref.tenant, agent);
  }
  const newest = (how: HowLeft): readonly OpenWork[] => {
    const [named = [], open = []] = takersOf(agent).map((taker) =>
      shelf.leftFor(taker, how).newest(project, most, isLive),
    );
    if (open.length === 0) return named;
    return [...named, ...open].sort((one, other) => leftAt(other) - leftAt(one)).slice(0, most);
  };
  return { asked: newest('asked'), ends: newest('end') };
}

/** How many are left for a taker: the agent, or anyone. */
export function countLeft(
  shelf: Shelf,
  taker: string,
  wanted: LeftWanted,
  isWanted: (work: OpenWork) => boolean,
): number {
  const isLive = liveFor(wanted);
  const counts = (work: OpenWork) => isWanted(work) && isLive(work);
  return HOW.reduce((sum, how) => sum + shelf.leftFor(taker, how).count(wanted.project, counts), 0);
}

/** Whose work an agent may have. Nobody is called as whoever comes next. */
const takersOf = (agent: string): readonly string[] => (agent === ANYONE ? [ANYONE] : [agent, ANYONE]);

const liveFor =
  ({ agent, now, isOpen, offered }: LeftWanted) =>
  (work: OpenWork): boolean => {
    const { owner, left, ref } = work;
    if (!left || owner === agent || now > left.until || offered.has(ref.id)) return false;
    return left.taker === ANYONE ? isOpen(work) : left.taker === agent;
  };

const leftAt = ({ left }: OpenWork): number => left?.how?.at ?? 0;
