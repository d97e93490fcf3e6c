/**
 * What an agent can go on with, the newest first: offers to it, its own sessions, work that was left for it or for anyone,
 * and what it received to read. What nobody handed over comes after all of these: what the end of a conversation left, and
 * the work of silent owners.
 */
import type { Principal } from '../../../auth/principal.js';
import type { Connection } from '../../connection.js';
import { isInProject, type WantedProject } from '../../project.js';
import type { HandoffDependencies } from '../dependencies.js';
import { silentSessions } from '../take/silent-sessions.js';
import { offersTo } from './offers-to.js';
import { sessionsFor } from './sessions-for.js';
import type { Candidate, Present } from './types.js';

export interface Candidates {
  readonly here: readonly Candidate[];
  /** How many there are in other projects. */
  readonly elsewhere: number;
}

export interface Looking {
  readonly principal: Principal;
  readonly connection: Connection;
  readonly project: WantedProject;
  readonly present: Present | undefined;
  /** Whether the caller has gone on with it before, of what it received to read. */
  readonly isSeen: (handoffId: string) => boolean;
}

/** The order of those of the same time. */
const RANKS: Readonly<Record<Candidate['kind'], number>> = {
  ...{ offer: 0, parked: 1, own: 2, received: 3 },
  ...{ left: 4, silent: 5 },
};

/** Nobody said a word about it, so it is claimed only on purpose. */
export const isUnasked = ({ kind }: Pick<Candidate, 'kind'>): boolean => kind === 'left' || kind === 'silent';

export async function candidatesOf(deps: HandoffDependencies, looking: Looking): Promise<Candidates> {
  const { principal, connection, project, present, isSeen } = looking;
  const { tenant, agent } = principal;
  const offers = await offersTo(deps, principal, isSeen);
  const offered = new Set(offers.map(({ candidate: { sessionKey } }) => sessionKey));
  // Beside an offer stands the same work, left for when the offer is over.
  const sessions = (await sessionsFor(deps, principal, connection, present)).filter(
    ({ candidate: { kind, sessionKey } }) => kind === 'own' || !offered.has(sessionKey),
  );
  const placed = [...offers, ...sessions];
  const here = placed.filter((one) => isInProject(one.project, project));
  const viewer = { tenant, agent, transport: connection.transport };
  // Only what the caller may take, which is in the project of its connection.
  const silent = (await silentSessions(deps, viewer, connection.project?.id))
    .filter(({ state }) => isInProject(state.project, project))
    .map(
      ({ state, lastSignAt }): Candidate => ({
        ...{ kind: 'silent', sessionKey: state.key, by: state.owner, at: lastSignAt },
      }),
    );
  const ordered = [...here.map(({ candidate }) => candidate), ...silent].sort(inOrder);
  return { here: ordered, elsewhere: placed.length - here.length };
}

function inOrder(one: Candidate, other: Candidate): number {
  const last = Number(isUnasked(one)) - Number(isUnasked(other));
  const key = one.sessionKey < other.sessionKey ? -1 : 1;
  return last || other.at - one.at || RANKS[one.kind] - RANKS[other.kind] || key;
}
