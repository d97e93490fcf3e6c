/** Completions for addresses and prompts, by prefix. They contain only names that the caller could also read. */
import type { Principal } from '../../auth/principal.js';
import { Scope } from '../../auth/scopes.js';
import { knownAgents } from '../../services/agents/who-am-i.js';
import type { HandoffService, HandoffView } from '../../services/handoffs/types.js';
import type { McpDependencies } from './dependencies.js';
import type { ToolCall } from './tool.js';

export type Completion = { values: string[]; hasMore: boolean };

/** The protocol's own limit. */
const MAX_VALUES = 100;
const LOOKED_AT = 500;

const NONE: Completion = { values: [], hasMore: false };

type Sources = Pick<McpDependencies, 'handoffs' | 'directory'>;
type Asking = Pick<ToolCall, 'principal' | 'connection'>;

export async function complete(
  sources: Sources,
  asking: Asking,
  variable: string,
  prefix: string,
): Promise<Completion> {
  if (!asking.principal.scopes.has(Scope.HANDOFF_READ)) return NONE;
  const known = [...new Set(await candidates(sources, asking, variable))].filter((value) =>
    value.startsWith(prefix),
  );
  return { values: known.slice(0, MAX_VALUES), hasMore: known.length > MAX_VALUES };
}

async function candidates(
  { handoffs, directory }: Sources,
  { principal, connection }: Asking,
  variable: string,
): Promise<readonly string[]> {
  switch (variable) {
    case 'sessionKey': {
      const page = await handoffs.listSessions(principal, { activeOnly: false, limit: LOOKED_AT });
      return 'rejection' in page ? [] : page.value.sessions.map(({ sessionKey }) => sessionKey);
    }
    case 'handoffId':
      return (await handoffsOf(handoffs, principal)).map(({ handoffId }) => handoffId);
    case 'agentId':
      return [
        principal.agent,
        ...(await handoffsOf(handoffs, principal)).flatMap(({ from, to }) => [from, to]),
      ];
    case 'to':
      return (await knownAgents(directory, handoffs, principal, connection, LOOKED_AT)).map(
        ({ agent }) => agent,
      );
    default:
      return [];
  }
}

async function handoffsOf(handoffs: HandoffService, principal: Principal): Promise<readonly HandoffView[]> {
  const page = await handoffs.listHandoffs(principal, { box: 'all', limit: LOOKED_AT });
  return 'rejection' in page ? [] : page.value.handoffs;
}
