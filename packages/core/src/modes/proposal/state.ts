/** State of Proposal Mode: what is on the table, and who accepts what. The phase follows from it. */
import type { SessionView } from '../mode.js';
import { type Branch, treeEntries, treeGet } from '../tree.js';
import type { ProposalRules } from './policy-rules.js';

export interface NegotiatedProposal {
  readonly author: string;
  /** The proposal that this one counters. */
  readonly supersedes?: string;
  readonly withdrawn: boolean;
  readonly rejections: number;
  /** Somebody rejected it for good, and it has not been withdrawn since. */
  readonly rejectedForGood: boolean;
}

export interface ProposalState {
  /** By proposal id. */
  readonly proposals: Branch<NegotiatedProposal>;
  readonly counterProposals: number;
  /** The proposal that each participant accepts now. */
  readonly acceptances: Branch<string>;
  /** How many proposals are rejected for good. */
  readonly rejectedForGood: number;
  readonly committed: boolean;
}

export const NOTHING_PROPOSED: ProposalState = {
  proposals: undefined,
  counterProposals: 0,
  acceptances: undefined,
  rejectedForGood: 0,
  committed: false,
};

export function isRejectedForGood({ rejectedForGood }: ProposalState): boolean {
  return rejectedForGood > 0;
}

/** Whether some proposal that is still on the table has the acceptances that the policy asks for. */
export function isConverged(
  state: ProposalState,
  {
    rules,
    participants,
    initiator,
  }: Pick<SessionView<ProposalRules>, 'rules' | 'participants' | 'initiator'>,
): boolean {
  switch (rules.criterion) {
    case 'initiator':
      return isLive(state, treeGet(state.acceptances, initiator));
    case 'all_parties': {
      const agreed = treeGet(state.acceptances, participants[0] ?? '');
      return (
        isLive(state, agreed) && participants.every((name) => treeGet(state.acceptances, name) === agreed)
      );
    }
    case 'counterparty':
      return hasCounterparties(state, participants);
  }
}

function isLive({ proposals }: ProposalState, id: string | undefined): boolean {
  return id !== undefined && treeGet(proposals, id)?.withdrawn === false;
}

/** A proposal that all but its author accept. Without counterparties nobody is asked. */
function hasCounterparties(state: ProposalState, participants: readonly string[]): boolean {
  for (const [id, { author, withdrawn }] of treeEntries(state.proposals)) {
    if (withdrawn) continue;
    const others = participants.filter((name) => name !== author);
    if (others.every((name) => treeGet(state.acceptances, name) === id)) return true;
  }
  return false;
}
