/** The names that operations use: family, status of the operation, status of a step, verification. */
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
