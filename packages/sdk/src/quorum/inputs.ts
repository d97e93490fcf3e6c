/** What the methods of QuorumSession take. */
import type { Speaker } from '../session/inputs.js';

/** The one thing that the session is to approve. */
export interface ApprovalRequestInput extends Speaker {
  /** An id of one's own choice; ballots name it. */
  readonly requestId: string;
  /** What is to be approved. */
  readonly action: string;
  /** The same in a few words, for whoever votes. */
  readonly summary?: string | undefined;
  /** All of it, as bytes. */
  readonly details?: Uint8Array | undefined;
  /** From 1 to the number of participants; a policy may say another number. */
  readonly requiredApprovals: number;
}

/** One ballot for each participant, over all three kinds. */
export interface BallotInput extends Speaker {
  /** Which request. */
  readonly requestId: string;
  /** Why one votes so; recorded. */
  readonly reason?: string | undefined;
}
