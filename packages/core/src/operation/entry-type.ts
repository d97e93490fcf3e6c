/** The entries of something that was handed to a person. Words of the log: none is ever changed. */
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
