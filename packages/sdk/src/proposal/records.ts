/** What a projection tells about proposals, and about the answers to them. */

/** Where a proposal stands: rejected is one that somebody rejected for good. */
export type ProposalStatus = 'open' | 'rejected' | 'withdrawn';

/** The phases of a negotiation. */
export type ProposalPhase = 'Negotiating' | 'TerminalRejected' | 'Committed';

/** A proposal or a counter-proposal. */
export interface ProposalRecord {
  readonly proposalId: string;
  readonly title: string;
  readonly summary: string;
  readonly details: Uint8Array;
  readonly tags: readonly string[];
  readonly sender: string;
  readonly status: ProposalStatus;
  /** The proposal that this one counters. */
  readonly supersedes?: string;
}

/** Somebody accepted a proposal, perhaps another one later. */
export interface ProposalAcceptRecord {
  readonly proposalId: string;
  readonly reason: string;
  readonly sender: string;
}

/** Somebody rejected a proposal. */
export interface ProposalRejectRecord {
  readonly proposalId: string;
  readonly terminal: boolean;
  readonly reason: string;
  readonly sender: string;
}
