/**
 * Which entries of an operation are news, and what an event says of them. As for handoffs, it depends on the entry
 * alone.
 */
import {
  type EntryHead,
  OperationEntryType,
  type OperationState,
  OperationStatus,
  StreamKind,
} from '@handover/core';
import { type WebhookEvent, WebhookEventType } from './types.js';

export const isOperationNews = ({ stream }: EntryHead): boolean => stream.kind === StreamKind.Operation;

const ENDS: Readonly<Record<string, WebhookEventType>> = {
  [OperationStatus.Completed]: WebhookEventType.OperationCompleted,
  [OperationStatus.Deployed]: WebhookEventType.OperationCompleted,
  [OperationStatus.Partial]: WebhookEventType.OperationCompleted,
  [OperationStatus.Failed]: WebhookEventType.OperationFailed,
  [OperationStatus.Cancelled]: WebhookEventType.OperationCancelled,
};

/** Uses only those fields of the state that never change. */
export function operationEvents(
  entry: EntryHead,
  { family, creator }: OperationState,
  digest: (text: string) => string,
): readonly WebhookEvent[] {
  const { stream, facts } = entry;
  const status = statusOf(entry);
  const { verdict } = facts;
  const place = JSON.stringify([stream.tenant, stream.id, entry.seq]);
  return [
    {
      id: `msg_${digest(`handover/webhook\noperation\n${place}`).slice(0, 32)}`,
      type: typeOf(entry, status),
      at: entry.at,
      tenant: stream.tenant,
      data: {
        operationId: stream.id,
        family,
        createdBy: creator,
        ...(status !== undefined && { status }),
        ...(typeof verdict === 'string' && { verification: verdict }),
      },
    },
  ];
}

function typeOf({ type }: EntryHead, status: string | undefined): WebhookEventType {
  if (type === OperationEntryType.Created) return WebhookEventType.OperationCreated;
  if (
    type === OperationEntryType.Expired ||
    type === OperationEntryType.Closed ||
    status === OperationStatus.Expired
  )
    return WebhookEventType.OperationExpired;
  return ENDS[status ?? ''] ?? WebhookEventType.OperationUpdated;
}

function statusOf({ type, facts }: EntryHead): string | undefined {
  if (type === OperationEntryType.Cancelled) return OperationStatus.Cancelled;
  if (type === OperationEntryType.Expired) return OperationStatus.Expired;
  // A result of failed or cancelled holds at once; any other result waits for the chain.
  const claimed = facts.outcome === OperationStatus.Failed || facts.outcome === OperationStatus.Cancelled;
  const status = claimed ? facts.outcome : facts.status;
  return typeof status === 'string' ? status : undefined;
}
