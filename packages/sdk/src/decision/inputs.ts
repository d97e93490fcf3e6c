/** What the methods of DecisionSession take. Words may be written in any case; they are sent as the protocol has them. */
import type { Speaker } from '../session/inputs.js';

/** An option to decide on. */
export interface ProposeInput extends Speaker {
  /** An id of one's own choice; votes name it. */
  readonly proposalId: string;
  /** What one could choose, in words. */
  readonly option: string;
  /** What speaks for it. */
  readonly rationale?: string | undefined;
  /** What it rests on, as bytes. */
  readonly supportingData?: Uint8Array | undefined;
}

/** What somebody thinks of an option. */
export interface EvaluateInput extends Speaker {
  /** Which option. */
  readonly proposalId: string;
  /** APPROVE, REVIEW, BLOCK or REJECT. */
  readonly recommendation: string;
  /** Between 0 and 1. */
  readonly confidence: number;
  /** What it rests on. */
  readonly reason?: string | undefined;
}

/** What speaks against an option. */
export interface ObjectionInput extends Speaker {
  /** Against which option. */
  readonly proposalId: string;
  /** What speaks against it. */
  readonly reason: string;
  /** low, medium (the default), high or critical; a policy may let a critical one veto. */
  readonly severity?: string | undefined;
}

/** One vote for each sender and option. */
export interface VoteInput extends Speaker {
  /** On which option. */
  readonly proposalId: string;
  /** APPROVE, REJECT or ABSTAIN. */
  readonly vote: string;
  /** Why; recorded. */
  readonly reason?: string | undefined;
}
