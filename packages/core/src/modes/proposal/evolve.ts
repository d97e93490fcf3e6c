/** The fold of Proposal Mode. */
import { CoreMessageType } from '../../envelope/envelope.js';
import type { ModeEntry } from '../mode.js';
import { treeGet, treeSet } from '../tree.js';
import { ProposalMessageType } from './messages.js';
import type { ProposalState } from './state.js';

export function evolveProposal(state: ProposalState, entry: ModeEntry): ProposalState {
  if (entry.type === CoreMessageType.Commitment) return { ...state, committed: true };
  const id = entry.facts.proposal_id;
  if (typeof id !== 'string') return state;
  switch (entry.type) {
    case ProposalMessageType.Proposal:
    case ProposalMessageType.CounterProposal:
      return add(state, id, entry);
    case ProposalMessageType.Accept:
      return { ...state, acceptances: treeSet(state.acceptances, entry.actor, id) };
    case ProposalMessageType.Reject:
      return rejected(state, id, entry.facts.terminal === true);
    case ProposalMessageType.Withdraw:
      return withdrawn(state, id);
    default:
      return state;
  }
}

function add(state: ProposalState, id: string, { facts, actor }: ModeEntry): ProposalState {
  if (treeGet(state.proposals, id)) return state;
  const { supersedes } = facts;
  const isCounter = typeof supersedes === 'string';
  const proposal = {
    author: actor,
    ...(isCounter && { supersedes }),
    withdrawn: false,
    rejections: 0,
    rejectedForGood: false,
  };
  return {
    ...state,
    proposals: treeSet(state.proposals, id, proposal),
    counterProposals: state.counterProposals + (isCounter ? 1 : 0),
    live: state.live + 1,
  };
}

function rejected(state: ProposalState, id: string, forGood: boolean): ProposalState {
  const proposal = treeGet(state.proposals, id);
  if (!proposal || proposal.withdrawn) return state;
  const next = {
    ...proposal,
    rejections: proposal.rejections + 1,
    rejectedForGood: proposal.rejectedForGood || forGood,
  };
  return {
    ...state,
    proposals: treeSet(state.proposals, id, next),
    rejectedForGood: state.rejectedForGood + (forGood && !proposal.rejectedForGood ? 1 : 0),
  };
}

/**
 * What was accepted or rejected for good is gone with it; what was said of other proposals stays. Acceptances are not searched for it:
 * there may be a thousand, and as many withdrawals as the session has room for.
 */
function withdrawn(state: ProposalState, id: string): ProposalState {
  const proposal = treeGet(state.proposals, id);
  if (!proposal || proposal.withdrawn) return state;
  return {
    ...state,
    proposals: treeSet(state.proposals, id, { ...proposal, withdrawn: true, rejectedForGood: false }),
    live: state.live - 1,
    rejectedForGood: state.rejectedForGood - (proposal.rejectedForGood ? 1 : 0),
  };
}
