/** What the methods of ProposalSession take. */
import type { Speaker } from '../session/inputs.js';

/** A proposal to agree on. */
export interface ProposalInput extends Speaker {
  /** An id of one's own choice, new in the session. */
  readonly proposalId: string;
  /** In a few words. */
  readonly title?: string | undefined;
  /** In some more. */
  readonly summary?: string | undefined;
  /** All of it, as bytes. */
  readonly details?: Uint8Array | undefined;
  /** Words to find it by. */
  readonly tags?: readonly string[] | undefined;
}

/** A proposal in answer to another, which stays on the table. */
export interface CounterProposalInput extends Speaker {
  /** An id of one's own choice, new in the session. */
  readonly proposalId: string;
  /** The proposal that it answers. */
  readonly supersedesProposalId: string;
  /** In a few words. */
  readonly title?: string | undefined;
  /** In some more. */
  readonly summary?: string | undefined;
  /** All of it, as bytes. */
  readonly details?: Uint8Array | undefined;
}

/** One accepts one proposal at a time; the latest acceptance counts. Also used to withdraw one's own. */
export interface ProposalAnswerInput extends Speaker {
  /** Which proposal. */
  readonly proposalId: string;
  /** Why; recorded. */
  readonly reason?: string | undefined;
}

/** One rejects a proposal. */
export interface ProposalRejectInput extends ProposalAnswerInput {
  /** True ends the negotiation: only the Commitment is left. */
  readonly terminal?: boolean | undefined;
}
