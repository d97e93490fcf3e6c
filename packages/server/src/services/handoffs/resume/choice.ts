/**
 * Which of the things that there are `resume` means, when its caller names none.
 *
 * C1. Without work of its own window, the newest thing.
 * C2. A window that did something with a session goes on with it, unless something newer waits for its agent: an offer, what was
 *     left, what was received, a note. Its other own sessions wait for nobody; they are named beside.
 *     One that it has just offered to somebody is not gone on with so: whoever gave it away may mean other work.
 * C3. What a hook opened for the conversation comes after everything that waits and after every own session: that it is new says
 *     only that a conversation began.
 * C4. Whoever waits for work, or takes over work, means another one than the one that the window is at.
 */
import type { WorklogState } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import { isInProject, type WantedProject } from '../../project.js';
import { type Candidates, inOrder, isUnasked, MOST_OTHERS } from './candidates.js';
import type { Candidate, Present, ResumeArgs } from './types.js';

export interface Found extends Candidates {
  readonly present?: PresentWork;
}

/** Own work that the window is at, or that it writes to with its owner. */
export interface PresentWork {
  readonly candidate: Candidate;
  /** The window itself works on it. */
  readonly isHeld: boolean;
}

export function presentWork(
  { key, owner, lastNumber, lastActivityAt, project: its }: WorklogState,
  { agent }: Principal,
  project: WantedProject,
  { lastAt, isOffered, returnedAt = 0 }: Present,
): PresentWork | undefined {
  if (lastNumber === 0 || !isInProject(its, project)) return undefined;
  const kind = owner === agent ? 'own' : 'shared';
  const isHeld = lastAt > 0 && !isOffered;
  const at = isHeld ? Math.max(lastAt, returnedAt) : lastActivityAt;
  return { candidate: { kind, sessionKey: key, by: owner, at }, isHeld };
}

export function chosenOf(found: Found, { take, wait }: ResumeArgs): Candidate | undefined {
  const present = presentIn(found);
  const isHeld = found.present?.isHeld === true;
  const wanted = isHeld ? found.here.filter((one) => isAt(one, present) || isWaiting(one)) : found.here;
  const newest = (take ? wanted.find(isUnasked) : undefined) ?? wanted[0];
  if (!present || take || wait) return newest;
  if (!newest || isUnasked(newest)) return present;
  return isHeld && inOrder(present, newest) < 0 ? present : newest;
}

/** The rest, with what the window is at among it. */
export function othersThan(chosen: Candidate | undefined, found: Found): readonly Candidate[] {
  const present = presentIn(found);
  const isChosen = ({ sessionKey, handoffId }: Candidate) =>
    chosen !== undefined &&
    (sessionKey === chosen.sessionKey || (handoffId !== undefined && handoffId === chosen.handoffId));
  const rest = [...(present ? [present] : []), ...found.here.filter((one) => !isAt(one, present))]
    .filter((one) => !isChosen(one))
    .sort(inOrder);
  const shown = rest.slice(0, MOST_OTHERS);
  return !present || isChosen(present) || shown.includes(present)
    ? shown
    : [...shown.slice(0, MOST_OTHERS - 1), present];
}

/** As it stands among the others, if there is news of it. */
function presentIn({ here, present }: Found): Candidate | undefined {
  const listed = here.find((one) => isAt(one, present?.candidate));
  if (!listed || !present?.isHeld) return listed ?? present?.candidate;
  return { ...listed, at: Math.max(listed.at, present.candidate.at) };
}

const isAt = ({ kind, sessionKey }: Candidate, present: Candidate | undefined): boolean =>
  isUnderWay({ kind }) && sessionKey === present?.sessionKey;

const isUnderWay = ({ kind }: Pick<Candidate, 'kind'>): boolean => kind === 'own' || kind === 'shared';

const isWaiting = (one: Candidate): boolean => !isUnderWay(one) || one.notes !== undefined;
