/** Resources of working sessions: lists of them, their context, and their summaries. */
import type { JsonObject } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import { Scope } from '../../../auth/scopes.js';
import { iso } from '../../../platform/iso.js';
import type { HandoffService, WorklogView } from '../../../services/handoffs/types.js';
import { mapOutcome, type Outcome } from '../../../services/outcome.js';
import { agentTopic, worklogTopic } from '../changes/topics.js';
import { entryJson, listedSessionJson, provenance } from '../translate.js';
import type { ResourceAddress, ResourceKind, ResourceWatch } from './resource-kind.js';
import { BAD_CURSOR, fromSequenceCursor, toSequenceCursor } from './sequence-cursor.js';

const PAGE = 200;

export function sessionResources(handoffs: HandoffService): readonly ResourceKind[] {
  const watchSession: ResourceWatch = {
    topics: ({ values }) => [worklogTopic(values.sessionKey ?? '')],
    version: async ({ values }, principal) => {
      const found = await handoffs.getSession(principal, values.sessionKey ?? '');
      return 'rejection' in found ? undefined : `${found.value.status} ${found.value.lastSequence}`;
    },
  };
  return [
    {
      name: 'sessions',
      title: 'Active sessions',
      description: 'Active working sessions that you own, write to or may read.',
      path: 'sessions',
      scope: Scope.HANDOFF_READ,
      paged: true,
      read: async ({ cursor }, principal) => {
        const page = await listPage(handoffs, principal, { activeOnly: true }, cursor);
        if ('rejection' in page) return page;
        const isWhole = cursor === undefined && page.value.nextCursor === undefined;
        const total = isWhole ? page.value.sessions.length : await handoffs.countActiveSessions(principal);
        return mapOutcome(page, ({ sessions, nextCursor }) => ({
          sessions: sessions.map(listedSessionJson),
          total,
          ...(nextCursor !== undefined && { nextCursor }),
        }));
      },
      watch: {
        topics: (_, principal) => [agentTopic(principal.agent)],
        version: async () => NEWEST,
      },
    },
    {
      name: 'context',
      title: 'Context of a session',
      description: 'The entries of a working session in order, in pages.',
      path: 'context/{sessionKey}',
      scope: Scope.HANDOFF_READ,
      paged: true,
      read: (address, principal) => readContext(handoffs, address, principal),
      watch: watchSession,
    },
    {
      name: 'summary',
      title: 'Summary of a session',
      description:
        'The brief of a working session: goal, next, open, decisions, and what else its next holder needs.',
      path: 'summary/{sessionKey}',
      scope: Scope.HANDOFF_READ,
      read: async ({ values: { sessionKey = '' } }, principal) =>
        mapOutcome(await handoffs.summarize(principal, sessionKey), ({ generatedAt, text, ...brief }) => ({
          sessionKey,
          summary: text,
          generatedAt: iso(generatedAt),
          ...brief,
          provenance: provenance('the agents that wrote the entries'),
        })),
      watch: watchSession,
    },
    {
      name: 'agent-sessions',
      title: 'Sessions of an agent',
      description: 'Working sessions with which an agent is associated, as far as you may see them.',
      path: 'agents/{agentId}/sessions',
      scope: Scope.HANDOFF_READ,
      paged: true,
      read: async ({ values: { agentId = '' }, cursor }, principal) =>
        mapOutcome(
          await listPage(handoffs, principal, { agent: agentId, activeOnly: false }, cursor),
          ({ sessions, nextCursor }) => ({
            agentId,
            sessions: sessions.map(listedSessionJson),
            ...(nextCursor !== undefined && { nextCursor }),
          }),
        ),
      watch: {
        // The caller sees only sessions that also concern itself, so it is told only about those.
        topics: (_, principal) => [agentTopic(principal.agent)],
        version: async () => NEWEST,
      },
    },
  ];
}

/** The version of every list: any change that concerns the caller counts as a change of the list. */
export const NEWEST = 'newest';

type SessionPage = { readonly sessions: readonly WorklogView[]; readonly nextCursor?: string };

function listPage(
  handoffs: HandoffService,
  principal: Principal,
  query: { readonly agent?: string; readonly activeOnly: boolean },
  cursor: string | undefined,
): Promise<Outcome<SessionPage>> {
  return handoffs.listSessions(principal, { ...query, limit: PAGE, ...(cursor !== undefined && { cursor }) });
}

async function readContext(
  handoffs: HandoffService,
  { values: { sessionKey = '' }, cursor }: ResourceAddress,
  principal: Principal,
): Promise<Outcome<JsonObject>> {
  const afterSequence = fromSequenceCursor(cursor);
  if (afterSequence === undefined) return { rejection: BAD_CURSOR };
  const page = await handoffs.readContext(principal, { sessionKey, afterSequence, limit: PAGE });
  return mapOutcome(page, ({ entries, hasMore }) => {
    const last = entries.at(-1)?.sequenceNumber;
    return {
      sessionKey,
      entries: entries.map(entryJson),
      hasMore,
      ...(hasMore && last !== undefined && { nextCursor: toSequenceCursor(last) }),
      provenance: provenance('the author of each entry'),
    };
  });
}
