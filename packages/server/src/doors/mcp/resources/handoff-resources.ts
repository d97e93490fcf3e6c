/** Resources of handoffs: the inbox of an agent, one handoff, its package, its attachments, and its receipt. */
import type { JsonObject } from '@handover/core';
import { RejectionCode, reject } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import { Scope } from '../../../auth/scopes.js';
import type { HandoffService } from '../../../services/handoffs/types.js';
import { mapOutcome, type Outcome } from '../../../services/outcome.js';
import { agentTopic, handoffTopic } from '../changes/topics.js';
import { attachmentJson, entryJson, handoffJson, packageJson } from '../translate.js';
import type { ResourceAddress, ResourceContents, ResourceKind, ResourceWatch } from './resource-kind.js';
import { BAD_CURSOR, fromSequenceCursor, toSequenceCursor } from './sequence-cursor.js';
import { NEWEST } from './session-resources.js';

const PAGE = 100;
const FROZEN_MS = 3_600_000;
export const PACKAGE_TYPE = 'application/vnd.handover.package+json';

export function handoffResources(handoffs: HandoffService): readonly ResourceKind[] {
  const watchHandoff: ResourceWatch = {
    topics: ({ values }) => [handoffTopic(values.handoffId ?? '')],
    version: async ({ values }, principal) => {
      const found = await handoffs.getHandoff(principal, values.handoffId ?? '');
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
      read: (address, principal) => readInbox(handoffs, address, principal),
      watch: {
        topics: (_, principal) => [agentTopic(principal.agent)],
        version: async ({ values }, principal) => (values.agentId === principal.agent ? NEWEST : undefined),
      },
    },
    {
      name: 'handoff',
      title: 'A handoff',
      description: 'One handoff: status, parties, and what you can do next.',
      path: 'handoffs/{handoffId}',
      scope: Scope.HANDOFF_READ,
      read: async ({ values: { handoffId = '' } }, principal) =>
        mapOutcome(await handoffs.getHandoff(principal, handoffId), handoffJson),
      watch: watchHandoff,
    },
    {
      name: 'package',
      title: 'What is handed over',
      description:
        'The frozen package of a handoff: brief, manifest, digest, what was sent beside it, and its entries in pages.',
      path: 'handoffs/{handoffId}/package',
      scope: Scope.HANDOFF_READ,
      paged: true,
      mimeType: PACKAGE_TYPE,
      read: (address, principal) => readPackage(handoffs, address, principal),
      watch: watchHandoff,
    },
    {
      name: 'attachment',
      title: 'What was sent with a handoff',
      description: 'One attachment of a handoff by its number, as text or as bytes.',
      path: 'handoffs/{handoffId}/attachments/{attachment}',
      scope: Scope.HANDOFF_READ,
      mimeType: 'application/octet-stream',
      keepMs: FROZEN_MS,
      read: (address, principal) => readAttachment(handoffs, address, principal),
      contents: attachmentContents,
    },
    {
      name: 'receipt',
      title: 'Receipt of a handoff',
      description: 'The signed receipt of a finished handoff; it can be verified without this server.',
      path: 'handoffs/{handoffId}/receipt',
      scope: Scope.HANDOFF_READ,
      read: ({ values: { handoffId = '' } }, principal) => handoffs.getReceipt(principal, handoffId),
      watch: watchHandoff,
    },
  ];
}

async function readInbox(
  handoffs: HandoffService,
  { values: { agentId = '' }, cursor }: ResourceAddress,
  principal: Principal,
): Promise<Outcome<JsonObject>> {
  if (agentId !== principal.agent)
    return { rejection: reject(RejectionCode.HANDOFF_NOT_FOUND, 'an agent sees its own inbox only') };
  const page = await handoffs.listHandoffs(principal, {
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
  handoffs: HandoffService,
  { values: { handoffId = '' }, cursor }: ResourceAddress,
  principal: Principal,
): Promise<Outcome<JsonObject>> {
  const afterSequence = fromSequenceCursor(cursor);
  if (afterSequence === undefined) return { rejection: BAD_CURSOR };
  const got = await handoffs.getPackage(principal, { handoffId, afterSequence, limit: PAGE });
  return mapOutcome(got, ({ package: handed, brief, entries, hasMore, attachments, attachmentsTotal }) => {
    const last = entries.at(-1)?.sequenceNumber;
    return {
      ...(handed ? packageJson(handed) : { package: null, ...(brief && { brief }) }),
      attachments: attachments.map(attachmentJson),
      attachmentsTotal,
      entries: entries.map(entryJson),
      hasMore,
      ...(hasMore && last !== undefined && { nextCursor: toSequenceCursor(last) }),
    };
  });
}

async function readAttachment(
  handoffs: HandoffService,
  { values: { handoffId = '', attachment = '' } }: ResourceAddress,
  principal: Principal,
): Promise<Outcome<JsonObject>> {
  if (!/^[1-9]\d{0,5}$/.test(attachment))
    return {
      rejection: reject(RejectionCode.HANDOFF_NOT_FOUND, 'attachments have the numbers 1, 2, 3, ...'),
    };
  const got = await handoffs.readAttachment(principal, { handoffId, attachment: Number(attachment) });
  return mapOutcome(got, ({ mediaType, text, base64 = '' }) =>
    text === undefined ? { mimeType: mediaType, blob: base64 } : { mimeType: mediaType, text },
  );
}

const attachmentContents = (value: JsonObject): ResourceContents => value as ResourceContents;
