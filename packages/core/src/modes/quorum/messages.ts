/** Names that Quorum Mode puts on the wire. */
export const QUORUM_MODE = 'macp.mode.quorum.v1';

export const QuorumMessageType = {
  Request: 'ApprovalRequest',
  Approve: 'Approve',
  Reject: 'Reject',
  Abstain: 'Abstain',
} as const;
