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
  /** How many proposals are on the table. */
  readonly live: number;
  /** The proposal that each participant accepted last. It may have been withdrawn since: then it counts for nothing. */
  readonly acceptances: Branch<string>;
  /** How many proposals are rejected for good. */
  readonly rejectedForGood: number;
  readonly committed: boolean;
}

export const NOTHING_PROPOSED: ProposalState = {
  proposals: undefined,
  counterProposals: 0,
  live: 0,
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

/** The proposal that each participant accepts now. */
export function acceptancesOf(state: ProposalState): ReadonlyMap<string, string> {
  return new Map([...treeEntries(state.acceptances)].filter(([, id]) => isLive(state, id)));
}

function isLive({ proposals }: Pick<ProposalState, 'proposals'>, id: string | undefined): boolean {
  return id !== undefined && treeGet(proposals, id)?.withdrawn === false;
}

/**
 * A proposal that all but its author accept. Without counterparties nobody is asked. Of any two participants one is no author of it,
 * so it is what one of the first two accepts: a session may hold tens of thousands of others.
 */
function hasCounterparties(state: ProposalState, participants: readonly string[]): boolean {
  const [first, second] = participants;
  if (first === undefined || second === undefined) return state.live > 0;
  const wanted = new Set([treeGet(state.acceptances, first), treeGet(state.acceptances, second)]);
  return [...wanted].some((id) => {
    if (id === undefined || !isLive(state, id)) return false;
    const author = treeGet(state.proposals, id)?.author;
    return participants.every((name) => name === author || treeGet(state.acceptances, name) === id);
  });
}
