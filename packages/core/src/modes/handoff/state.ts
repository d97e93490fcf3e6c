/** State of Handoff Mode: the offers in order. At most one is open, at most one is accepted. */
export const Disposition = { Offered: 'offered', Accepted: 'accepted', Declined: 'declined' } as const;
export type Disposition = (typeof Disposition)[keyof typeof Disposition];

export interface Offer {
  readonly handoffId: string;
  readonly target: string;
  readonly offeredBy: string;
  /** Recorded acceptance time of the offer, never the client's clock. */
  readonly offeredAt: number;
  /** The session's suspended time when the offer was made: later suspension does not count against the target. */
  readonly suspendedBefore: number;
  readonly disposition: Disposition;
  readonly answeredAt?: number;
  /** Answered by a policy's time-out, not by the target. */
  readonly implicit: boolean;
  /** Contexts the target could decide on, and those that came after its answer. */
  readonly contexts: number;
  readonly lateContexts: number;
}

export interface HandoffState {
  readonly offers: readonly Offer[];
}

export const NO_OFFERS: HandoffState = { offers: [] };

/** Searches from the newest: the offer that a message is about is nearly always the last. */
export function findOffer(state: HandoffState, handoffId: string): Offer | undefined {
  return state.offers.findLast((offer) => offer.handoffId === handoffId);
}

export function openOffer(state: HandoffState): Offer | undefined {
  return state.offers.findLast((offer) => offer.disposition === Disposition.Offered);
}

export function acceptedOffer(state: HandoffState): Offer | undefined {
  return state.offers.findLast((offer) => offer.disposition === Disposition.Accepted);
}
