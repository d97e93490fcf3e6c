/** Names that Decision Mode puts on the wire. */
export const DECISION_MODE = 'macp.mode.decision.v1';

export const DecisionMessageType = {
  Proposal: 'Proposal',
  Evaluation: 'Evaluation',
  Objection: 'Objection',
  Vote: 'Vote',
} as const;

export const Recommendation = {
  Approve: 'APPROVE',
  Review: 'REVIEW',
  Block: 'BLOCK',
  Reject: 'REJECT',
} as const;

export const Severity = { Low: 'low', Medium: 'medium', High: 'high', Critical: 'critical' } as const;

export const VoteWord = { Approve: 'APPROVE', Reject: 'REJECT', Abstain: 'ABSTAIN' } as const;
export type VoteWord = (typeof VoteWord)[keyof typeof VoteWord];
