/** What a projection tells about each handoff. */
import type { Disposition } from '@handover/core';

/** Where a handoff stands, as its page shows it. */
export type HandoffStatus = 'offered' | 'context_sent' | 'accepted' | 'declined';

/** The four phases of a session. */
export type HandoffPhase = 'Offering' | 'ContextSharing' | 'Resolved' | 'Committed';

/** The phases with the answer told apart; the same in every SDK. */
export type DetailedPhase =
  | 'Pending'
  | 'OfferPending'
  | 'ContextSharing'
  | 'Accepted'
  | 'Declined'
  | 'Committed';

/** One handoff: the offer, and its answer when there is one. */
export interface HandoffRecord {
  /** Its id. */
  readonly handoffId: string;
  /** Who was asked. */
  readonly targetParticipant: string;
  /** What is handed over. */
  readonly scope: string;
  /** Why, in the owner's words. */
  readonly reason: string;
  /** Who made the offer. */
  readonly sender: string;
  /** The same as `disposition`, by its older name. */
  readonly status: HandoffStatus;
  /** The answer alone: `offered` until there is one. */
  readonly disposition: Disposition;
  /** True when a policy's time-out answered in the target's name. */
  readonly implicit: boolean;
  /** Who accepted, once somebody has. */
  readonly acceptedBy?: string;
  /** Who declined, once somebody has. */
  readonly declinedBy?: string;
  /** The reason that came with the answer. */
  readonly answerReason?: string;
  /** Content type of the newest context, late ones included. */
  readonly contextContentType?: string;
}

/** One piece of context that the owner attached to a handoff. */
export interface HandoffContextRecord {
  /** The handoff that it belongs to. */
  readonly handoffId: string;
  /** What the bytes are. */
  readonly contentType: string;
  /** The bytes. */
  readonly context: Uint8Array;
  /** Who sent it. */
  readonly sender: string;
  /** True when it came after the answer: the target did not decide on it. */
  readonly late: boolean;
}

const PHASE: Readonly<Record<DetailedPhase, HandoffPhase>> = {
  Pending: 'Offering',
  OfferPending: 'Offering',
  ContextSharing: 'ContextSharing',
  Accepted: 'Resolved',
  Declined: 'Resolved',
  Committed: 'Committed',
};

export function phaseOf(detailed: DetailedPhase): HandoffPhase {
  return PHASE[detailed];
}
