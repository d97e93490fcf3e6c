/** What a projection tells about options, and about what was said of them. */
import type { VoteWord } from '@handover/core';

/** An option to decide on. */
export interface DecisionProposalRecord {
  /** The id that votes name. */
  readonly proposalId: string;
  /** What one could choose. */
  readonly option: string;
  /** What speaks for it. */
  readonly rationale: string;
  /** What it rests on, as bytes. */
  readonly supportingData: Uint8Array;
  /** Who proposed it. */
  readonly sender: string;
}

/** What somebody thinks of an option. */
export interface DecisionEvaluationRecord {
  /** Which option. */
  readonly proposalId: string;
  /** APPROVE, REVIEW, BLOCK or REJECT. */
  readonly recommendation: string;
  /** How sure, between 0 and 1. */
  readonly confidence: number;
  /** What it rests on. */
  readonly reason: string;
  /** Who evaluated. */
  readonly sender: string;
}

/** What speaks against an option. */
export interface DecisionObjectionRecord {
  /** Against which option. */
  readonly proposalId: string;
  /** low, medium, high or critical. */
  readonly severity: string;
  /** What speaks against it. */
  readonly reason: string;
  /** Who objected. */
  readonly sender: string;
}

/** A vote that counts. */
export interface DecisionVoteRecord {
  /** On which option. */
  readonly proposalId: string;
  /** APPROVE, REJECT or ABSTAIN. */
  readonly vote: VoteWord;
  /** Why, if it was said. */
  readonly reason: string;
  /** Who voted. */
  readonly sender: string;
}
