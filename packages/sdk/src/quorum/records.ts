/** What a projection tells about the request, and about the ballots. */
import type { Ballot } from '@handover/core';

/** The phases of a Quorum session. */
export type QuorumPhase = 'Pending' | 'Voting' | 'Committed';

/** The thing that is to be approved. */
export interface ApprovalRequestRecord {
  readonly requestId: string;
  readonly action: string;
  readonly summary: string;
  readonly details: Uint8Array;
  readonly requiredApprovals: number;
  readonly sender: string;
}

/** A ballot that counts. */
export interface BallotRecord {
  readonly requestId: string;
  /** approve, reject or abstain. */
  readonly choice: Ballot['choice'];
  readonly reason: string;
  readonly sender: string;
}
