/** What a projection tells about proposals, and about the answers to them. */

/** Where a proposal stands: rejected is one that somebody rejected for good. */
export type ProposalStatus = 'open' | 'rejected' | 'withdrawn';

/** The phases of a negotiation. */
export type ProposalPhase = 'Negotiating' | 'TerminalRejected' | 'Committed';

/** A proposal or a counter-proposal. */
export interface ProposalRecord {
  /** Its id. */
  readonly proposalId: string;
  /** In a few words. */
  readonly title: string;
  /** In some more. */
  readonly summary: string;
  /** All of it, as bytes. */
  readonly details: Uint8Array;
  /** Words to find it by; counter-proposals have none. */
  readonly tags: readonly string[];
  /** Who made it. */
  readonly sender: string;
  /** Whether it is still on the table. */
  readonly status: ProposalStatus;
  /** The proposal that this one counters. */
  readonly supersedes?: string;
}

/** Somebody accepted a proposal, perhaps another one later. */
export interface ProposalAcceptRecord {
  /** Which proposal. */
  readonly proposalId: string;
  /** Why, if it was said. */
  readonly reason: string;
  /** Who accepted it. */
  readonly sender: string;
}

/** Somebody rejected a proposal. */
export interface ProposalRejectRecord {
  /** Which proposal. */
  readonly proposalId: string;
  /** Whether it ended the negotiation. */
  readonly terminal: boolean;
  /** Why, if it was said. */
  readonly reason: string;
  /** Who rejected it. */
  readonly sender: string;
}
