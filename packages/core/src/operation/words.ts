/** The names that operations use. They stand in the log, on the wire and in receipts. */
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

/** What the server itself found out about a claim. */
export const Verification = {
  Unverified: 'unverified',
  Pending: 'pending',
  Matched: 'matched',
  Mismatched: 'mismatched',
  Reorged: 'reorged',
} as const;
export type Verification = (typeof Verification)[keyof typeof Verification];

/** What moved: the one word that an agent decides by. Only `none` means that nothing was paid. */
export const Effect = {
  None: 'none',
  Unknown: 'unknown',
  Partial: 'partial',
  Done: 'done',
  Different: 'different',
  Exceeded: 'exceeded',
} as const;
export type Effect = (typeof Effect)[keyof typeof Effect];

/**
 * On whose word an effect rests. `holder`: whoever held the link; nobody knows that it was a person. `not_asked`: nobody
 * said anything, since no wallet was asked.
 */
export const Basis = {
  Wallet: 'wallet',
  Holder: 'holder',
  Page: 'page',
  Chain: 'chain',
  NotAsked: 'not_asked',
} as const;
export type Basis = (typeof Basis)[keyof typeof Basis];

/** How an ask ended, in the words that pages post. */
export const AskAnswer = {
  Claim: 'claim',
  Refused: 'refused',
  NotOpened: 'not_opened',
  Unclear: 'unclear',
  SaidNotSigned: 'said_not_signed',
} as const;
export type AskAnswer = (typeof AskAnswer)[keyof typeof AskAnswer];

export const ClaimKind = {
  Tx: 'tx',
  Safe: 'safe',
  UserOp: 'userop',
  Calls: 'calls',
  Session: 'session',
} as const;
export type ClaimKind = (typeof ClaimKind)[keyof typeof ClaimKind];

/** Who told of a claim: the page, somebody at the page, or the server's own reading of nonces and logs. */
export const ClaimSource = { Page: 'page', Holder: 'holder', Nonce: 'nonce', Logs: 'logs' } as const;
export type ClaimSource = (typeof ClaimSource)[keyof typeof ClaimSource];

/** Detail of `HASH_USED`: it serves a request of another creator. */
export const CONTESTED = 'of_another_creator';

/** Detail of a session of which the node knows nothing. */
export const NOT_STARTED = 'not_started';

export const ReasonCode = {
  Rejected: 'REJECTED',
  NotSigned: 'NOT_SIGNED',
  WalletError: 'WALLET_ERROR',
  Declined: 'DECLINED',
  Cancelled: 'CANCELLED',
  Expired: 'EXPIRED',
  Stopped: 'STOPPED',
  Reverted: 'REVERTED',
  Replaced: 'REPLACED',
  SpedUp: 'SPED_UP',
  Dropped: 'DROPPED',
  NotSeen: 'NOT_SEEN',
  Unanswered: 'UNANSWERED',
  SafePending: 'SAFE_PENDING',
  InnerCallUnproven: 'INNER_CALL_UNPROVEN',
  Mismatched: 'MISMATCHED',
  HashUsed: 'HASH_USED',
  TooOld: 'TOO_OLD',
  SenderUnbound: 'SENDER_UNBOUND',
  Reorged: 'REORGED',
  Unverified: 'UNVERIFIED',
  RpcWrongChain: 'RPC_WRONG_CHAIN',
  RpcUnavailable: 'RPC_UNAVAILABLE',
  SentAfterCancel: 'SENT_AFTER_CANCEL',
  SentAfterDecline: 'SENT_AFTER_DECLINE',
  SentAfterExpiry: 'SENT_AFTER_EXPIRY',
  PaidTwice: 'PAID_TWICE',
} as const;
export type ReasonCode = (typeof ReasonCode)[keyof typeof ReasonCode];
