/** The state of an operation of any family: transactions to sign, a bundle to deploy, sessions to start. */
import { FAMILIES } from '../families/families.js';
import { type Family, type OperationStatus, StepStatus, Verification } from '../words.js';

export { Family, OperationStatus, StepStatus, Verification } from '../words.js';

/** What a browser says that it has done in a step. Hex is lowercase. */
export interface StepClaim {
  readonly txHash?: string;
  readonly contract?: string;
  readonly sessionId?: string;
  readonly owner?: string;
}

export interface BlockRef {
  readonly number: number;
  readonly hash: string;
}

export interface StepState {
  readonly id: string;
  /** The only account that may sign it; absent: the step names none. */
  readonly from?: string;
  readonly status: StepStatus;
  readonly verification: Verification;
  readonly requestedAt?: number;
  readonly submittedAt?: number;
  readonly claim?: StepClaim;
  /** Where its successful receipt was last seen. */
  readonly block?: BlockRef;
  /** Why the chain and the claim differ, or that it reverted; a code. */
  readonly reason?: string;
}

export interface ResultState {
  /** Identifies the result. */
  readonly digest: string;
  /** The status that follows when the chain agrees. */
  readonly outcome: OperationStatus;
  readonly seq: number;
  readonly at: number;
  readonly verification: Verification;
  readonly reason?: string;
}

export interface OperationState {
  readonly id: string;
  readonly family: Family;
  readonly creator: string;
  readonly chainId: number;
  readonly digest: string;
  readonly status: OperationStatus;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number;
  /** An RPC for the chain was there when it was created. If so, a receipt opens the next step, not a claim. */
  readonly watched: boolean;
  /** The only account that may sign; absent: the first one that asks. */
  readonly signer?: string;
  readonly account?: string;
  readonly steps: readonly StepState[];
  readonly result?: ResultState;
  /** A browser has named transactions outside of steps. */
  readonly claimed: boolean;
  /** Its time is over and it changes no more: sent, never verified. */
  readonly closed: boolean;
  readonly seq: number;
}

/** Whether nothing more can be done. The family defines which statuses end it. */
export function isOver({ status, family, closed }: Progress): boolean {
  return closed === true || FAMILIES[family].ends.has(status);
}

/** What `isOver` needs to know; states and views both have it. */
export interface Progress {
  readonly family: Family;
  readonly status: OperationStatus;
  readonly closed?: boolean;
}

export function isSubmitted({ status }: Pick<StepState, 'status'>): boolean {
  return status === StepStatus.Submitted || status === StepStatus.Confirmed;
}

/** Whether something was sent: from then on the operation cannot be cancelled or declined. */
export function hasSubmitted(state: OperationState): boolean {
  return state.claimed || state.result !== undefined || state.steps.some(isSubmitted);
}

/** One text per claim, to tell claims apart. */
export function claimKey(claim: StepClaim | undefined): string {
  if (!claim) return '';
  return claim.txHash ?? `${claim.owner ?? ''}/${claim.sessionId ?? ''}`;
}

/** The verification of the whole record: that of its result if it has one, else what follows from the steps. */
export function verificationOf({ result, steps }: OperationState): Verification {
  if (result) return result.verification;
  const words = new Set(steps.filter(isSubmitted).map(({ verification }) => verification));
  const steady = steps.length > 0 && steps.every(({ status }) => isFinal(status));
  if (words.has(Verification.Mismatched)) return Verification.Mismatched;
  if (words.has(Verification.Reorged)) return Verification.Reorged;
  if (words.has(Verification.Pending)) return Verification.Pending;
  if (words.has(Verification.Unverified) || words.size === 0) return Verification.Unverified;
  return steady ? Verification.Matched : Verification.Pending;
}

export const isFinal = (status: StepStatus): boolean =>
  status === StepStatus.Confirmed || status === StepStatus.Skipped;
