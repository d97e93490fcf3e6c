/** Handoffs: those that wait for an agent, one of them, what it hands over, and the proof of its end. */
import type { JsonObject } from '@handover/core';
import { RejectionCode, reject } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import { Scope } from '../../../auth/scopes.js';
import type { HandoffDesk, Outcome } from '../../../services/handoffs/types.js';
import { agentTopic, handoffTopic } from '../changes/topics.js';
import { mapOutcome } from '../outcomes.js';
import { entryJson, handoffJson, packageJson } from '../translate.js';
import type { ResourceAddress, ResourceKind, ResourceWatch } from './resource-kind.js';
import { BAD_CURSOR, fromSequenceCursor, toSequenceCursor } from './sequence-cursor.js';
import { NEWEST } from './session-resources.js';

const PAGE = 100;
const FROZEN_MS = 3_600_000;
export const PACKAGE_TYPE = 'application/vnd.handover.package+json';

export function handoffResources(desk: HandoffDesk): readonly ResourceKind[] {
  const watchHandoff: ResourceWatch = {
    topics: ({ values }) => [handoffTopic(values.handoffId ?? '')],
    version: async ({ values }, who) => {
      const found = await desk.getHandoff(who, values.handoffId ?? '');
      if ('rejection' in found) return undefined;
      const { phase, contexts, lateContexts } = found.value;
      return `${phase} ${contexts} ${lateContexts}`;
    },
  };
  return [
    {
      name: 'inbox',
      title: 'Inbox of an agent',
      description: 'Handoffs that were offered to you, newest state of each.',
      path: 'agents/{agentId}/inbox',
      scope: Scope.HANDOFF_READ,
      paged: true,
      read: (address, who) => readInbox(desk, address, who),
      watch: {
        topics: (_, who) => [agentTopic(who.agent)],
        version: async ({ values }, who) => (values.agentId === who.agent ? NEWEST : undefined),
      },
    },
    {
      name: 'handoff',
      title: 'A handoff',
      description: 'One handoff: status, parties, and what you can do next.',
      path: 'handoffs/{handoffId}',
      scope: Scope.HANDOFF_READ,
      read: async ({ values: { handoffId = '' } }, who) =>
        mapOutcome(await desk.getHandoff(who, handoffId), handoffJson),
      watch: watchHandoff,
    },
    {
      name: 'package',
      title: 'What is handed over',
      description: 'The frozen package of a handoff: summary, manifest, digest, and its entries in pages.',
      path: 'handoffs/{handoffId}/package',
      scope: Scope.HANDOFF_READ,
      paged: true,
      mimeType: PACKAGE_TYPE,
      keepMs: FROZEN_MS,
      read: (address, who) => readPackage(desk, address, who),
      watch: watchHandoff,
    },
    {
      name: 'receipt',
      title: 'Receipt of a handoff',
      description: 'The signed receipt of a finished handoff; it can be verified without this server.',
      path: 'handoffs/{handoffId}/receipt',
      scope: Scope.HANDOFF_READ,
      read: ({ values: { handoffId = '' } }, who) => desk.getReceipt(who, handoffId),
      watch: watchHandoff,
    },
  ];
}

async function readInbox(
  desk: HandoffDesk,
  { values: { agentId = '' }, cursor }: ResourceAddress,
  who: Principal,
): Promise<Outcome<JsonObject>> {
  if (agentId !== who.agent)
    return { rejection: reject(RejectionCode.HANDOFF_NOT_FOUND, 'an agent sees its own inbox only') };
  const page = await desk.listHandoffs(who, {
    box: 'inbox',
    limit: PAGE,
    ...(cursor !== undefined && { cursor }),
  });
  return mapOutcome(page, ({ handoffs, nextCursor }) => ({
    agentId,
    handoffs: handoffs.map(handoffJson),
    ...(nextCursor !== undefined && { nextCursor }),
  }));
}

async function readPackage(
  desk: HandoffDesk,
  { values: { handoffId = '' }, cursor }: ResourceAddress,
  who: Principal,
): Promise<Outcome<JsonObject>> {
  const afterSequence = fromSequenceCursor(cursor);
  if (afterSequence === undefined) return { rejection: BAD_CURSOR };
  const got = await desk.getPackage(who, { handoffId, afterSequence, limit: PAGE });
  return mapOutcome(got, ({ package: handed, entries, hasMore }) => {
    const last = entries.at(-1)?.sequenceNumber;
    return {
      ...packageJson(handed),
      entries: entries.map(entryJson),
      hasMore,
      ...(hasMore && last !== undefined && { nextCursor: toSequenceCursor(last) }),
    };
  });
}
