/** The types of the entries of operations. They stand in the log and must never change. */
export const OperationEntryType = {
  Created: 'OperationCreated',
  Posted: 'OperationPosted',
  Result: 'OperationResult',
  Verified: 'OperationVerified',
  Cancelled: 'OperationCancelled',
  Expired: 'OperationExpired',
  Closed: 'OperationClosed',
} as const;
export type OperationEntryType = (typeof OperationEntryType)[keyof typeof OperationEntryType];
