/**
 * What an agent can go on with, the newest first: offers to it, its own sessions, work that it writes to with its owner, work that
 * was left for it or for anyone, and what it received to read. What nobody handed over comes after all of these: what the end of a conversation left, and
 * the work of silent owners.
 */
import type { WorklogState } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import type { Connection } from '../../connection.js';
import { ANY_PROJECT, isInProject, type WantedProject } from '../../project.js';
import type { HandoffDependencies } from '../dependencies.js';
import { mayClaim } from '../open-parking.js';
import { isShared, sharedWork } from '../shared-work.js';
import { type SoonSilent, soonestOf, takeableSessions } from '../take/silent-sessions.js';
import { offersTo } from './offers-to.js';
import { sessionsFor } from './sessions-for.js';
import type { Candidate, Placed, Present } from './types.js';
import { withNotes } from './with-notes.js';

export interface Candidates {
  readonly here: readonly Candidate[];
  /** How many there are in other projects. */
  readonly elsewhere: number;
  /** What may be taken over next. */
  readonly soon?: SoonSilent;
}

export interface Looking {
  readonly principal: Principal;
  readonly connection: Connection;
  readonly project: WantedProject;
  readonly present: Present | undefined;
  /** Whether the caller has gone on with it before, of what it received to read. */
  readonly isSeen: (handoffId: string) => boolean;
  /** What nobody handed over is asked for. */
  readonly unasked: boolean;
}

/** How many are named beside the one that is chosen. */
export const MOST_OTHERS = 5;

/** The order of those of the same time. */
const RANKS: Readonly<Record<Candidate['kind'], number>> = {
  ...{ offer: 0, parked: 1, own: 2, shared: 3, received: 4 },
  ...{ left: 5, silent: 6 },
};

/** Nobody said a word about it, so it is claimed only on purpose. */
export const isUnasked = ({ kind }: Pick<Candidate, 'kind'>): boolean => kind === 'left' || kind === 'silent';

export async function candidatesOf(deps: HandoffDependencies, looking: Looking): Promise<Candidates> {
  const { principal, connection, project, present, isSeen, unasked } = looking;
  const { tenant, agent } = principal;
  await deps.board.turn(tenant, agent);
  const offers = await offersTo(deps, principal, isSeen);
  // Answers of the store come many at once: the board has its turns after them.
  const shelf = await deps.board.of(tenant, agent);
  const offered = new Set(offers.map(({ candidate: { sessionKey } }) => sessionKey));
  const sessions = await sessionsFor(deps, shelf, { ...looking, offered });
  const offersHere = ownProjectFirst(
    offers.filter((one) => isInProject(one.project, project)),
    project,
  );
  const others = [...offered, ...sessions.here.map(keyOf)];
  const shared = await sharedBeside(deps, principal, present ? [...others, present.sessionKey] : others);
  const sharedHere = shared.filter((state) => isInProject(state.project, project));
  const found = [
    ...offersHere.map(({ candidate }) => candidate),
    ...sessions.here,
    ...sharedHere.map(sharedCandidate),
  ];
  const here = [...(await withNotes(deps, principal, found))];
  const elsewhere =
    offers.length - offersHere.length + sessions.elsewhere + shared.length - sharedHere.length;
  // These come last: where enough is before them, nobody sees them.
  if (!unasked && here.filter((one) => !isUnasked(one)).length > MOST_OTHERS)
    return { here: here.sort(inOrder), elsewhere };
  const viewer = { tenant, agent, transport: connection.transport };
  // Only what the caller may take, which is in the project of its connection.
  const all = mayClaim(principal) ? await takeableSessions(deps, viewer, connection.project?.id) : [];
  const takeable = all.filter(({ state }) => !isShared(state, agent));
  const now = deps.now();
  const silent = takeable
    .filter(({ state, possibleAt }) => possibleAt <= now && isInProject(state.project, project))
    .map(
      ({ state, lastSignAt }): Candidate => ({
        ...{ kind: 'silent', sessionKey: state.key, by: state.owner, at: lastSignAt },
      }),
    );
  const soon = soonestOf(takeable, now);
  return { here: [...here, ...silent].sort(inOrder), elsewhere, ...(soon && { soon }) };
}

/**
 * Among offers, one that names no project comes after those of the project that is asked for, however new it is. Anybody who
 * knows the agent's name can make such a one, and whoever says "go on" without an id means the work of this folder.
 */
function ownProjectFirst(offers: readonly Placed[], wanted: WantedProject): readonly Placed[] {
  if (wanted === undefined || wanted === ANY_PROJECT) return offers;
  const isOffer = ({ candidate }: Placed) => candidate.kind === 'offer';
  const own = offers.filter((one) => one.project && isOffer(one)).map(({ candidate }) => candidate.at);
  if (own.length === 0) return offers;
  const latest = Math.max(...own) - 1;
  return offers.map((one) =>
    one.project || !isOffer(one) || one.candidate.at <= latest
      ? one
      : { ...one, candidate: { ...one.candidate, at: latest } },
  );
}

const keyOf = ({ sessionKey }: Candidate): string => sessionKey;

export const sharedCandidate = ({ key, owner, lastActivityAt }: WorklogState): Candidate => ({
  ...{ kind: 'shared', sessionKey: key, by: owner, at: lastActivityAt },
});

/** What is offered to the agent, or left for it, it can have in another way; what its window is at, it knows. */
async function sharedBeside(
  deps: HandoffDependencies,
  principal: Principal,
  keys: readonly string[],
): Promise<readonly WorklogState[]> {
  const shared = await sharedWork(deps, principal);
  return shared.filter(({ key }) => !keys.includes(key));
}

/** The newest first. */
export function inOrder(one: Candidate, other: Candidate): number {
  const last = Number(isUnasked(one)) - Number(isUnasked(other));
  const key = one.sessionKey < other.sessionKey ? -1 : 1;
  return last || other.at - one.at || RANKS[one.kind] - RANKS[other.kind] || key;
}
