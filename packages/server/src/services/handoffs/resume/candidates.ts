/**
 * What an agent can go on with, the newest first: offers to it, work that was left for it or for anyone, its own last
 * session. What the end of a conversation left without a word of its owner comes after all of these.
 */
import type { Principal } from '../../../auth/principal.js';
import type { Connection } from '../../connection.js';
import { ANY_PROJECT, type WantedProject } from '../../project.js';
import type { CurrentSessions } from '../current-session.js';
import type { HandoffDependencies } from '../dependencies.js';
import type { HookItem, HookItems } from '../hook-text.js';
import { whatWaits } from '../what-waits.js';
import type { Candidate } from './types.js';

export interface Candidates {
  readonly here: readonly Candidate[];
  /** How many there are in other projects. */
  readonly elsewhere: number;
}

/** The order of those of the same time. */
const RANKS: Readonly<Record<Candidate['kind'], number>> = { offer: 0, parked: 1, own: 2, left: 3 };

export async function candidatesOf(
  deps: HandoffDependencies,
  current: CurrentSessions,
  principal: Principal,
  connection: Connection,
  project: WantedProject,
): Promise<Candidates> {
  const { tenant, agent } = principal;
  const at = await current.find(principal, connection);
  const viewer = { tenant, agent, openParking: isOpenTo(connection), ...(at && { except: at.ref.id }) };
  const here = listed(await whatWaits(deps, { ...viewer, project }));
  if (project === undefined || project === ANY_PROJECT) return { here, elsewhere: 0 };
  const all = listed(await whatWaits(deps, viewer));
  return { here, elsewhere: Math.max(0, all.length - here.length) };
}

/** What is left for whoever comes next is for the assistants of this machine; over HTTP it is nobody's but its owner's. */
export const isOpenTo = ({ transport }: Pick<Connection, 'transport'>): boolean => transport === 'stdio';

function listed({ offers, parked, own, left }: HookItems): readonly Candidate[] {
  const said = [
    ...offers.map((item) => candidate('offer', item)),
    ...parked.map((item) => candidate('parked', item)),
    ...(own ? [candidate('own', own)] : []),
  ].toSorted((one, other) => other.at - one.at || RANKS[one.kind] - RANKS[other.kind]);
  return [...said, ...left.map((item) => candidate('left', item))];
}

const candidate = (kind: Candidate['kind'], { sessionKey, handoffId, by, at }: HookItem): Candidate => ({
  kind,
  sessionKey,
  by,
  at,
  ...(handoffId !== undefined && { handoffId }),
});
