/**
 * Which entries of a session are news, and what an event says of them. An event depends on the entry alone, not on what
 * has happened since: an event that is delivered late says what it would have said in time.
 */
import {
  CoreMessageType,
  Disposition,
  type EntryHead,
  EXPIRED_TYPE,
  findOffer,
  HandoffMessageType,
  type HandoffState,
  handoffMode,
  type Offer,
  type SessionState,
} from '@handover/core';
import { formatHandoffId } from '../../services/handoffs/ids.js';
import { type WebhookEvent, WebhookEventType } from './types.js';

/**
 * A Map and not an object: agents choose the message types of extension modes, and a type such as `constructor` would
 * find a member that every object has.
 */
const TYPES: ReadonlyMap<string, WebhookEventType> = new Map<string, WebhookEventType>([
  [HandoffMessageType.Offer, WebhookEventType.Offered],
  [HandoffMessageType.Accept, WebhookEventType.Accepted],
  [HandoffMessageType.Decline, WebhookEventType.Declined],
  [CoreMessageType.Commitment, WebhookEventType.Committed],
  [CoreMessageType.SessionCancel, WebhookEventType.Cancelled],
  [EXPIRED_TYPE, WebhookEventType.Expired],
]);

/** True for entries of which `eventsOf` may make an event. */
export const isNews = ({ stream, type }: EntryHead): boolean => stream.kind === 'session' && TYPES.has(type);

export function eventsOf(
  entry: EntryHead,
  session: SessionState,
  digest: (text: string) => string,
): readonly WebhookEvent[] {
  const type = typeOf(entry, session);
  const state = session.run.stateOf(handoffMode);
  if (type === undefined || !state) return [];
  return offersOf(entry, state).map((offer) => eventOf(type, entry, session, offer, digest));
}

/** Work that is taken over was not offered by its owner: of all the entries that move it, the last is the news. */
function typeOf({ type }: EntryHead, { binding }: SessionState): WebhookEventType | undefined {
  if (!binding?.takeOver) return TYPES.get(type);
  return type === CoreMessageType.Commitment ? WebhookEventType.Taken : undefined;
}

/**
 * An entry that names an offer is about that offer. The end of a session is about every offer that was not declined.
 */
function offersOf({ type, facts }: EntryHead, state: HandoffState): readonly Offer[] {
  if (typeof facts.handoff_id === 'string') {
    const offer = findOffer(state, facts.handoff_id);
    return offer ? [offer] : [];
  }
  const open = state.offers.filter(({ disposition }) => disposition !== Disposition.Declined);
  const last = state.offers.at(-1);
  // When every offer was declined, the Commitment is about the last one.
  return type === CoreMessageType.Commitment && open.length === 0 && last ? [last] : open;
}

function eventOf(
  type: WebhookEventType,
  entry: EntryHead,
  { id: sessionId, binding }: SessionState,
  offer: Offer,
  digest: (text: string) => string,
): WebhookEvent {
  const { tenant } = entry.stream;
  const place = JSON.stringify([tenant, sessionId, entry.seq, offer.handoffId]);
  return {
    id: `msg_${digest(`handover/webhook\n${place}`).slice(0, 32)}`,
    type,
    at: entry.at,
    tenant,
    data: {
      handoffId: formatHandoffId(sessionId, offer.handoffId),
      macpSessionId: sessionId,
      ...(binding && { sessionKey: binding.worklog, requestType: binding.requestType }),
      from: binding?.takeOver?.from ?? offer.offeredBy,
      to: offer.target,
      ...(binding?.takeOver && { authority: 'operator' as const }),
      status: statusOf(type, entry),
    },
  };
}

function statusOf(type: WebhookEventType, { facts }: EntryHead): string {
  if (type === WebhookEventType.Offered || type === WebhookEventType.Accepted) return 'pending';
  const commits = type === WebhookEventType.Committed || type === WebhookEventType.Taken;
  return commits && facts.outcome_positive === true ? 'completed' : 'failed';
}
