import type { Said } from '../modes/mode-model.js';
import { type ProposalPolicy, proposalModel, type State } from '../modes/proposal-model.js';
import { withAuthority } from '../modes/variants.js';
import type { Names } from './mode-walk.js';
import { OUTSIDE, ofMode, type Table } from './table.js';
import type { Row } from './walk.js';

const mode = 'Proposal';
const PLAIN: ProposalPolicy = { criterion: 'all_parties', maxRounds: 0, anyRejectEnds: false };
const ONE_ROUND: ProposalPolicy = { criterion: 'counterparty', maxRounds: 1, anyRejectEnds: true };

export const proposalTables = (): readonly Table[] => [
  ofMode({ mode }, proposalModel(PLAIN), namesUnder(PLAIN)),
  ofMode(
    {
      mode,
      under: 'one counter-proposal at most, every rejection for good, and agreement without the author',
      only: ['CounterProposal', 'Reject', 'Commitment'],
    },
    proposalModel(ONE_ROUND),
    namesUnder(ONE_ROUND),
  ),
  ofMode(
    { mode, under: OUTSIDE, only: ['Commitment', 'Accept'] },
    withAuthority(proposalModel(PLAIN), ['x']),
    namesUnder(PLAIN),
  ),
];

function namesUnder(policy: ProposalPolicy): Names<State> {
  const { commit } = proposalModel(policy);
  return {
    columns: {
      'nothing proposed': ({ proposals }) => Object.keys(proposals).length === 0,
      negotiating: (state) => commit(state, true) !== 'ok',
      agreed: ({ proposals }) => !Object.values(proposals).some(({ ended }) => ended),
      'rejected for good': () => true,
    },
    row: (state, said, role) => row(policy, state, said, role),
  };
}

function row({ maxRounds }: ProposalPolicy, { proposals }: State, said: Said, role: string): Row {
  const { type, sender, fields } = said;
  const id = String(fields.proposalId);
  const named = proposals[id];
  if (type === 'Proposal' || type === 'CounterProposal') {
    if (id === '' || named) return { message: `${type}, id blank or used`, sender: role };
    if (type === 'Proposal') return { message: type, sender: role };
    const isKnown = String(fields.supersedesProposalId) in proposals;
    const rounds = Object.values(proposals).filter(({ counter }) => counter).length;
    const what = !isKnown
      ? ', to an unknown one'
      : maxRounds > 0 && rounds >= maxRounds
        ? ', one too many'
        : '';
    return { message: `${type}${what}`, sender: role };
  }
  const about = !named ? ', unknown proposal' : named.live ? '' : ', withdrawn proposal';
  const isAuthor = type === 'Withdraw' && named?.author === sender;
  return { message: `${type}${about}`, sender: isAuthor ? 'its author' : role };
}
