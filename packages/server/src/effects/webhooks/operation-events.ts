/**
 * Which entries of an operation are news, and what an event says of them. As for handoffs, it depends on the entry
 * alone.
 */
import {
  Effect,
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
  const { verdict, effect, receipt, reason_code: reasonCode } = facts;
  const place = JSON.stringify([stream.tenant, stream.id, entry.seq]);
  const data = {
    operationId: stream.id,
    family,
    createdBy: creator,
    ...(status !== undefined && { status }),
    ...(typeof effect === 'string' && { effect }),
    ...(typeof reasonCode === 'string' && { reasonCode }),
    ...(typeof verdict === 'string' && { verification: verdict }),
    ...(typeof receipt === 'number' && { receipt }),
  };
  const event = (type: WebhookEventType, id: string): WebhookEvent => ({
    id: `msg_${digest(`handover/webhook\n${id}\n${place}`).slice(0, 32)}`,
    type,
    at: entry.at,
    tenant: stream.tenant,
    data,
  });
  return [event(typeOf(entry, status), 'operation'), ...newTypes(entry).map((type) => event(type, type))];
}

/** Since the rules of revision 2. */
function newTypes({ facts }: EntryHead): readonly WebhookEventType[] {
  return [
    WebhookEventType.OperationChanged,
    ...(facts.settled === true ? [WebhookEventType.OperationSettled] : []),
    ...(typeof facts.receipt === 'number' && facts.receipt > 1 ? [WebhookEventType.OperationSuperseded] : []),
  ];
}

function typeOf({ type, facts }: EntryHead, status: string | undefined): WebhookEventType {
  if (type === OperationEntryType.Created) return WebhookEventType.OperationCreated;
  // What was done in part, or twice, is not complete.
  if (typeof facts.effect === 'string' && facts.effect !== Effect.Done && isCompleting(status))
    return WebhookEventType.OperationUpdated;
  if (
    type === OperationEntryType.Expired ||
    type === OperationEntryType.Closed ||
    status === OperationStatus.Expired
  )
    return WebhookEventType.OperationExpired;
  return ENDS[status ?? ''] ?? WebhookEventType.OperationUpdated;
}

const isCompleting = (status: string | undefined): boolean =>
  ENDS[status ?? ''] === WebhookEventType.OperationCompleted;

function statusOf({ type, facts }: EntryHead): string | undefined {
  if (type === OperationEntryType.Cancelled) return OperationStatus.Cancelled;
  if (type === OperationEntryType.Expired) return OperationStatus.Expired;
  if (typeof facts.status === 'string') return facts.status;
  // Under revision 1 a result of failed or cancelled held at once; any other waited for the chain.
  const claimed = facts.outcome === OperationStatus.Failed || facts.outcome === OperationStatus.Cancelled;
  return claimed && typeof facts.outcome === 'string' ? facts.outcome : undefined;
}
