/** What the methods of ProposalSession take. */
import type { Speaker } from '../session/inputs.js';

/** A proposal to agree on. */
export interface ProposalInput extends Speaker {
  readonly proposalId: string;
  readonly title?: string | undefined;
  readonly summary?: string | undefined;
  readonly details?: Uint8Array | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** A proposal in answer to another, which stays on the table. */
export interface CounterProposalInput extends Speaker {
  readonly proposalId: string;
  readonly supersedesProposalId: string;
  readonly title?: string | undefined;
  readonly summary?: string | undefined;
  readonly details?: Uint8Array | undefined;
}

/** One accepts one proposal at a time; the latest acceptance counts. Also used to withdraw one's own. */
export interface ProposalAnswerInput extends Speaker {
  readonly proposalId: string;
  readonly reason?: string | undefined;
}

/** One rejects a proposal. */
export interface ProposalRejectInput extends ProposalAnswerInput {
  /** True ends the negotiation: only the Commitment is left. */
  readonly terminal?: boolean | undefined;
}
