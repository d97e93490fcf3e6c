/** What the methods of DecisionSession take. Words may be written in any case; they are sent as the protocol has them. */
import type { Speaker } from '../session/inputs.js';

/** An option to decide on. */
export interface ProposeInput extends Speaker {
  readonly proposalId: string;
  readonly option: string;
  readonly rationale?: string | undefined;
  readonly supportingData?: Uint8Array | undefined;
}

/** What somebody thinks of an option. */
export interface EvaluateInput extends Speaker {
  readonly proposalId: string;
  /** APPROVE, REVIEW, BLOCK or REJECT. */
  readonly recommendation: string;
  /** Between 0 and 1. */
  readonly confidence: number;
  readonly reason?: string | undefined;
}

/** What speaks against an option. */
export interface ObjectionInput extends Speaker {
  readonly proposalId: string;
  readonly reason: string;
  /** low, medium (the default), high or critical; a policy may let a critical one veto. */
  readonly severity?: string | undefined;
}

/** One vote for each sender and option. */
export interface VoteInput extends Speaker {
  readonly proposalId: string;
  /** APPROVE, REJECT or ABSTAIN. */
  readonly vote: string;
  readonly reason?: string | undefined;
}
