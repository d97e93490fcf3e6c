/** The fold of Handoff Mode. Server, replay and the SDK's projection all use this one. */
import type { EntryHead } from '../../log/entry.js';
import type { SessionView } from '../mode.js';
import { HandoffMessageType } from './messages.js';
import { Disposition, findOffer, type HandoffState, type Offer } from './state.js';

type Fact = Pick<EntryHead, 'type' | 'facts' | 'actor' | 'at' | 'seq'>;

export function evolveHandoff(
  state: HandoffState,
  entry: Fact,
  session: Pick<SessionView, 'suspendedTotalMs'>,
): HandoffState {
  const handoffId = entry.facts.handoff_id;
  if (typeof handoffId !== 'string') return state;
  switch (entry.type) {
    case HandoffMessageType.Offer:
      return addOffer(state, handoffId, entry, session.suspendedTotalMs);
    case HandoffMessageType.Context:
      return change(state, handoffId, addContext);
    case HandoffMessageType.Accept:
      return change(state, handoffId, (offer) => answer(offer, Disposition.Accepted, entry));
    case HandoffMessageType.Decline:
      return change(state, handoffId, (offer) => answer(offer, Disposition.Declined, entry));
    default:
      return state;
  }
}

function addOffer(
  state: HandoffState,
  handoffId: string,
  entry: Fact,
  suspendedBefore: number,
): HandoffState {
  const target = entry.facts.target;
  if (typeof target !== 'string' || findOffer(state, handoffId)) return state;
  const offer: Offer = {
    handoffId,
    target,
    offeredBy: entry.actor,
    offeredAt: entry.at,
    suspendedBefore,
    disposition: Disposition.Offered,
    implicit: false,
    contexts: 0,
    lateContexts: 0,
  };
  return { offers: [...state.offers, offer] };
}

function addContext(offer: Offer): Offer {
  if (offer.disposition === Disposition.Offered) return { ...offer, contexts: offer.contexts + 1 };
  return { ...offer, lateContexts: offer.lateContexts + 1 };
}

function answer(offer: Offer, disposition: Disposition, entry: Fact): Offer {
  if (offer.disposition !== Disposition.Offered) return offer;
  return { ...offer, disposition, answeredAt: entry.at, implicit: entry.facts.implicit === true };
}

function change(state: HandoffState, handoffId: string, next: (offer: Offer) => Offer): HandoffState {
  const index = state.offers.findLastIndex((offer) => offer.handoffId === handoffId);
  const offer = state.offers[index];
  if (!offer) return state;
  const changed = next(offer);
  return changed === offer ? state : { offers: state.offers.with(index, changed) };
}
