/** What a projection tells about options, and about what was said of them. */
import type { VoteWord } from '@handover/core';

/** An option to decide on. */
export interface DecisionProposalRecord {
  readonly proposalId: string;
  readonly option: string;
  readonly rationale: string;
  readonly supportingData: Uint8Array;
  readonly sender: string;
}

/** What somebody thinks of an option. */
export interface DecisionEvaluationRecord {
  readonly proposalId: string;
  readonly recommendation: string;
  readonly confidence: number;
  readonly reason: string;
  readonly sender: string;
}

/** What speaks against an option. */
export interface DecisionObjectionRecord {
  readonly proposalId: string;
  readonly severity: string;
  readonly reason: string;
  readonly sender: string;
}

/** A vote that counts. */
export interface DecisionVoteRecord {
  readonly proposalId: string;
  readonly vote: VoteWord;
  readonly reason: string;
  readonly sender: string;
}
