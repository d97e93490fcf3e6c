/**
 * Of working sessions one thing is news: its owner left it for whoever comes next. One that is left for an agent by name is offered
 * to it, too, and that is told as an offer.
 */
import { ANYONE, type EntryHead, StreamKind, WorklogEntryType } from '@handover/core';
import { type WebhookEvent, WebhookEventType } from './types.js';

export const isSessionNews = ({ stream, type, facts: { takers } }: EntryHead): boolean =>
  stream.kind === StreamKind.Worklog &&
  type === WorklogEntryType.Parked &&
  Array.isArray(takers) &&
  takers[0] === ANYONE;

/** It depends on the entry alone. */
export function sessionEvent(
  { stream: { tenant, id }, seq, at, actor, facts }: EntryHead,
  digest: (text: string) => string,
): WebhookEvent {
  const place = JSON.stringify([tenant, StreamKind.Worklog, id, seq]);
  return {
    id: `msg_${digest(`handover/webhook\n${place}`).slice(0, 32)}`,
    type: WebhookEventType.SessionParked,
    at,
    tenant,
    data: {
      ...{ sessionKey: id, requestType: String(facts.request_type) },
      ...{ from: actor, to: ANYONE, status: 'pending' },
    },
  };
}
