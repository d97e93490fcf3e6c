/** The types of the entries of operations. They stand in the log and must never change. */
export const OperationEntryType = {
  Created: 'OperationCreated',
  Posted: 'OperationPosted',
  Result: 'OperationResult',
  Verified: 'OperationVerified',
  /** Revision 1 alone. */
  Cancelled: 'OperationCancelled',
  Expired: 'OperationExpired',
  Closed: 'OperationClosed',
  /** From here on the rules of another revision hold. */
  RulesRaised: 'RulesRaised',
  /** Since revision 2. */
  Asked: 'OperationAsked',
  Answered: 'OperationAnswered',
  Claimed: 'OperationClaimed',
  Judged: 'OperationJudged',
  AskSettled: 'OperationAskSettled',
  Closing: 'OperationClosing',
  TimeUp: 'OperationTimeUp',
  WindowOver: 'OperationWindowOver',
} as const;
export type OperationEntryType = (typeof OperationEntryType)[keyof typeof OperationEntryType];
