/** What a projection tells about the request, and about the ballots. */
import type { Ballot } from '@handover/core';

/** The phases of a Quorum session. */
export type QuorumPhase = 'Pending' | 'Voting' | 'Committed';

/** The thing that is to be approved. */
export interface ApprovalRequestRecord {
  /** The id that ballots name. */
  readonly requestId: string;
  /** What is to be approved. */
  readonly action: string;
  /** The same in a few words. */
  readonly summary: string;
  /** All of it, as bytes. */
  readonly details: Uint8Array;
  /** How many approvals were asked for. */
  readonly requiredApprovals: number;
  /** Who asked. */
  readonly sender: string;
}

/** A ballot that counts. */
export interface BallotRecord {
  /** Which request. */
  readonly requestId: string;
  /** approve, reject or abstain. */
  readonly choice: Ballot['choice'];
  /** Why, if it was said. */
  readonly reason: string;
  /** Whose ballot it is. */
  readonly sender: string;
}
