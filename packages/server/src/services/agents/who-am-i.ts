/** What a caller should know of itself and of whom it can hand work to. */
import type { Principal } from '../../auth/principal.js';
import { Scope } from '../../auth/scopes.js';
import type { Connection } from '../connection.js';
import type { HandoffService, HandoffView } from '../handoffs/types.js';
import type { AgentDirectory } from './agent-directory.js';

/** What is read of the directory. */
export type KnownFrom = Pick<AgentDirectory, 'everybody' | 'everybodyHere' | 'lastSeenAt' | 'isConnected'>;

export interface KnownAgent {
  readonly agent: string;
  readonly connected: boolean;
  readonly lastSeenAt: number | null;
}

export interface Waiting {
  /** Offers that wait for its answer. */
  readonly offers: number;
  /** Acceptances that wait for its commitment. */
  readonly acceptances: number;
  /** Work of others in this project that was left for it, or for whoever comes next. */
  readonly left: number;
  /** Its own offers that were declined, or ran out of time, and were not offered again. */
  readonly declined: number;
  readonly expired: number;
}

/** Of each list. */
const LOOKED_AT = 200;

/** On one's own machine, and whoever administers the server. */
export const knowsEverybody = (
  { scopes }: Pick<Principal, 'scopes'>,
  { transport }: Pick<Connection, 'transport'>,
): boolean => transport === 'stdio' || scopes.has(Scope.HANDOFF_ADMIN);

/**
 * On one's own machine everybody is known, also who was connected there and has not come yet. Over HTTP a caller learns only of those with whom it has to do anyway; an
 * administrator of all.
 */
export async function knownAgents(
  directory: KnownFrom,
  handoffs: HandoffService,
  principal: Principal,
  connection: Pick<Connection, 'transport'>,
  limit: number,
): Promise<readonly KnownAgent[]> {
  const { tenant, agent: self } = principal;
  const isHere = connection.transport === 'stdio';
  const names = await (isHere
    ? directory.everybodyHere(tenant, limit + 1)
    : knowsEverybody(principal, connection)
      ? directory.everybody(tenant, limit + 1)
      : sharing(directory, handoffs, principal));
  return names
    .filter(({ agent }) => agent !== self)
    .slice(0, limit)
    .map(({ agent, lastSeenAt }) => ({
      agent,
      connected: directory.isConnected({ tenant, agent }),
      lastSeenAt,
    }));
}

async function sharing(directory: KnownFrom, handoffs: HandoffService, principal: Principal) {
  const [offers, sessions] = [
    await handoffs.listHandoffs(principal, { box: 'all', limit: LOOKED_AT }),
    await handoffs.listSessions(principal, { activeOnly: false, limit: LOOKED_AT }),
  ];
  const names = new Set([
    ...('value' in offers ? offers.value.handoffs.flatMap(partiesOf) : []),
    ...('value' in sessions
      ? sessions.value.sessions.flatMap(({ agentFrom, owner, collaborators }) => [
          agentFrom,
          owner,
          ...collaborators,
        ])
      : []),
  ]);
  const { tenant } = principal;
  const seen = await Promise.all(
    [...names].map(async (agent) => ({ agent, lastSeenAt: await directory.lastSeenAt({ tenant, agent }) })),
  );
  return seen.sort((a, b) => (b.lastSeenAt ?? 0) - (a.lastSeenAt ?? 0));
}

/**
 * Whoever sent it, and whoever answered. A name that has not answered may be anybody's: to say that it was ever here would tell
 * the caller what it is not to know.
 */
const partiesOf = ({ from, to, answeredAt, implicit }: HandoffView): readonly string[] =>
  answeredAt === undefined || implicit ? [from] : [from, to];

export async function waitingFor(
  handoffs: HandoffService,
  principal: Principal,
  connection: Pick<Connection, 'transport' | 'project'>,
): Promise<Waiting> {
  const pending = { status: 'pending', limit: LOOKED_AT } as const;
  const [inbox, outbox] = [
    await handoffs.listHandoffs(principal, { box: 'inbox', ...pending }),
    await handoffs.listHandoffs(principal, { box: 'outbox', ...pending }),
  ];
  const inPhase = (box: typeof inbox, phase: string) =>
    'value' in box ? box.value.handoffs.filter((one) => one.phase === phase).length : 0;
  const { project } = connection;
  const where = project ? { project: project.id } : {};
  const left = await handoffs.leftSessions(principal, where, connection);
  const returned = await handoffs.returnedOffers(principal, where);
  return {
    offers: inPhase(inbox, 'offered'),
    acceptances: inPhase(outbox, 'accepted'),
    left: left.length,
    declined: returned.filter(({ phase }) => phase === 'declined').length,
    expired: returned.filter(({ phase, stillLeft }) => phase === 'expired' && !stillLeft).length,
  };
}
