/** Proposal Mode: peers propose and counter-propose until they agree, or one of them rejects for good. */
import type { JsonObject } from '../../log/json.js';
import type { Mode } from '../mode.js';
import { standardDescriptor } from '../standard-descriptor.js';
import { treeEntries } from '../tree.js';
import { evolveProposal } from './evolve.js';
import { PROPOSAL_MODE, ProposalMessageType } from './messages.js';
import { type ProposalPayloads, proposalPayloads } from './payloads.js';
import {
  PROPOSAL_RULE_KEYS,
  PROPOSAL_RULES_SCHEMA,
  type ProposalRules,
  readProposalRules,
  STRICTEST_PROPOSAL_RULES,
} from './policy-rules.js';
import { proposalDenials, proposalReady } from './ready.js';
import { decideProposal } from './rules.js';
import { acceptancesOf, NOTHING_PROPOSED, type ProposalState } from './state.js';

export const proposalMode: Mode<ProposalState, ProposalRules, ProposalPayloads> = {
  descriptor: standardDescriptor({
    mode: PROPOSAL_MODE,
    title: 'Proposal Mode',
    description:
      'Peers propose and counter-propose until they agree on one proposal or one rejects for good.',
    determinismClass: 'semantic-deterministic',
    participantModel: 'peer',
    messageTypes: Object.values(ProposalMessageType),
  }),
  strict: true,
  minParticipants: 1,
  commitBy: 'policy',
  reservedMessageIdPrefixes: [],
  ruleKeys: PROPOSAL_RULE_KEYS,
  rulesSchema: PROPOSAL_RULES_SCHEMA,
  readRules: readProposalRules,
  strictestRules: STRICTEST_PROPOSAL_RULES,
  payloads: proposalPayloads,
  initial: NOTHING_PROPOSED,
  decide: decideProposal,
  evolve: evolveProposal,
  ready: proposalReady,
  denials: proposalDenials,
  view: viewProposal,
};

function viewProposal(state: ProposalState): JsonObject {
  // Participants choose their ids: `__proto__` must be a key like any other.
  const proposals: Record<string, JsonObject> = Object.create(null);
  for (const [id, proposal] of treeEntries(state.proposals))
    proposals[id] = {
      author: proposal.author,
      ...(proposal.supersedes !== undefined && { supersedes: proposal.supersedes }),
      disposition: proposal.withdrawn ? 'Withdrawn' : 'Live',
      rejections: proposal.rejections,
      rejected_for_good: proposal.rejectedForGood,
    };
  const acceptances: Record<string, string> = Object.create(null);
  for (const [participant, id] of acceptancesOf(state)) acceptances[participant] = id;
  return { proposals, counter_proposals: state.counterProposals, acceptances, committed: state.committed };
}
