/** State of something that was handed to a person: a generic operation, a bundle to deploy, sessions to start. */
export const Family = {
  Operation: 'operation',
  BundleDeploy: 'bundle_deploy',
  SessionStart: 'session_start',
} as const;
export type Family = (typeof Family)[keyof typeof Family];

export const OperationStatus = {
  PendingUserAction: 'pending_user_action',
  PendingImport: 'pending_import',
  Opened: 'opened',
  WalletConnected: 'wallet_connected',
  TxRequested: 'tx_requested',
  TxSubmitted: 'tx_submitted',
  Imported: 'imported',
  Completed: 'completed',
  Deployed: 'deployed',
  Partial: 'partial',
  Failed: 'failed',
  Cancelled: 'cancelled',
  Expired: 'expired',
} as const;
export type OperationStatus = (typeof OperationStatus)[keyof typeof OperationStatus];

export const StepStatus = {
  Pending: 'pending',
  Requested: 'requested',
  Submitted: 'submitted',
  Confirmed: 'confirmed',
  Failed: 'failed',
  Skipped: 'skipped',
} as const;
export type StepStatus = (typeof StepStatus)[keyof typeof StepStatus];

/** The server's own word on what a browser claimed. */
export const Verification = {
  Unverified: 'unverified',
  Pending: 'pending',
  Matched: 'matched',
  Mismatched: 'mismatched',
  Reorged: 'reorged',
} as const;
export type Verification = (typeof Verification)[keyof typeof Verification];

/** What a browser says that it has done in a step. Lowercase hex where it is hex. */
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
  /** The only account that may take it; absent: any one. */
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
  /** Names this very result. */
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
  /** An RPC for the chain was there when it was created: then a receipt, not a claim, opens the next step. */
  readonly watched: boolean;
  /** The only account that may sign; absent: the first one that asks. */
  readonly signer?: string;
  readonly account?: string;
  readonly steps: readonly StepState[];
  readonly result?: ResultState;
  /** A browser has named transactions outside of steps. */
  readonly claimed: boolean;
  /** Its time is over and it stays as it stands: sent, never verified. */
  readonly closed: boolean;
  readonly seq: number;
}

const TERMINAL: ReadonlySet<OperationStatus> = new Set([
  OperationStatus.Completed,
  OperationStatus.Deployed,
  OperationStatus.Partial,
  OperationStatus.Cancelled,
  OperationStatus.Expired,
]);

/** A failed operation can be tried again; a failed bundle or session start cannot. */
export function isOver({ status, family, closed }: OperationState): boolean {
  if (closed || TERMINAL.has(status)) return true;
  return status === OperationStatus.Failed && family !== Family.Operation;
}

export function isSubmitted({ status }: StepState): boolean {
  return status === StepStatus.Submitted || status === StepStatus.Confirmed;
}

/** Something left the browser: from then on nobody can say that nothing happened. */
export function hasSubmitted(state: OperationState): boolean {
  return state.claimed || state.result !== undefined || state.steps.some(isSubmitted);
}

/** One text per claim, to tell claims apart. */
export function claimKey(claim: StepClaim | undefined): string {
  if (!claim) return '';
  return claim.txHash ?? `${claim.owner ?? ''}/${claim.sessionId ?? ''}`;
}

/** The record's own word: of its result where it has one, else what the steps together allow to say. */
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
