/** Completions of addresses and prompts: prefixes of what the caller could read, and of nothing else. */
import type { Principal } from '../../auth/principal.js';
import { Scope } from '../../auth/scopes.js';
import type { HandoffDesk, HandoffView } from '../../services/handoffs/types.js';

export type Completion = { values: string[]; hasMore: boolean };

/** The protocol's own limit. */
const MAX_VALUES = 100;
const LOOKED_AT = 500;

const NONE: Completion = { values: [], hasMore: false };

export async function complete(
  desk: HandoffDesk,
  who: Principal,
  variable: string,
  prefix: string,
): Promise<Completion> {
  if (!who.scopes.has(Scope.HANDOFF_READ)) return NONE;
  const known = [...new Set(await candidates(desk, who, variable))].filter((value) =>
    value.startsWith(prefix),
  );
  return { values: known.slice(0, MAX_VALUES), hasMore: known.length > MAX_VALUES };
}

async function candidates(desk: HandoffDesk, who: Principal, variable: string): Promise<readonly string[]> {
  switch (variable) {
    case 'sessionKey': {
      const page = await desk.listSessions(who, { activeOnly: false, limit: LOOKED_AT });
      return 'rejection' in page ? [] : page.value.sessions.map(({ sessionKey }) => sessionKey);
    }
    case 'handoffId':
      return (await handoffs(desk, who)).map(({ handoffId }) => handoffId);
    case 'agentId':
      return [who.agent, ...(await handoffs(desk, who)).flatMap(({ from, to }) => [from, to])];
    case 'targetAgent':
      return (await handoffs(desk, who))
        .flatMap(({ from, to }) => [from, to])
        .filter((agent) => agent !== who.agent);
    default:
      return [];
  }
}

async function handoffs(desk: HandoffDesk, who: Principal): Promise<readonly HandoffView[]> {
  const page = await desk.listHandoffs(who, { box: 'all', limit: LOOKED_AT });
  return 'rejection' in page ? [] : page.value.handoffs;
}
