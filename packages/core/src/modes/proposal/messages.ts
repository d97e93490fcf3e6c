/** Names that Proposal Mode puts on the wire. */
export const PROPOSAL_MODE = 'macp.mode.proposal.v1';

export const ProposalMessageType = {
  Proposal: 'Proposal',
  CounterProposal: 'CounterProposal',
  Accept: 'Accept',
  Reject: 'Reject',
  Withdraw: 'Withdraw',
} as const;
