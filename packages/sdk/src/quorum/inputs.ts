/** What the methods of QuorumSession take. */
import type { Speaker } from '../session/inputs.js';

/** The one thing that the session is to approve. */
export interface ApprovalRequestInput extends Speaker {
  readonly requestId: string;
  readonly action: string;
  readonly summary?: string | undefined;
  readonly details?: Uint8Array | undefined;
  /** From 1 to the number of participants; a policy may say another number. */
  readonly requiredApprovals: number;
}

/** One ballot for each participant, over all three kinds. */
export interface BallotInput extends Speaker {
  readonly requestId: string;
  readonly reason?: string | undefined;
}
