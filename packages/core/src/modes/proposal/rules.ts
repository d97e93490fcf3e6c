/** Proposal Mode, message by message (docs/spec/macp-2026.md 8.2 and 8.3). The order of the checks is the protocol's. */
import type { Codec } from '../../envelope/codec.js';
import type { Envelope } from '../../envelope/envelope.js';
import { isBlank } from '../../text.js';
import { forbidden, idFlaw, invalid, notListed } from '../answers.js';
import type { ModeDecision, SessionView } from '../mode.js';
import { treeGet } from '../tree.js';
import { ProposalMessageType } from './messages.js';
import { proposalPayloads } from './payloads.js';
import type { ProposalRules } from './policy-rules.js';
import type { ProposalState } from './state.js';

type Session = Pick<SessionView<ProposalRules>, 'participants' | 'rules'>;

export function decideProposal(
  state: ProposalState,
  envelope: Envelope,
  session: Session,
  codec: Codec,
): ModeDecision {
  const unheard = notListed(envelope.sender, session);
  if (unheard) return unheard;
  switch (envelope.messageType) {
    case ProposalMessageType.Proposal:
      return decideNew(state, envelope, codec);
    case ProposalMessageType.CounterProposal:
      return decideCounter(state, envelope, session, codec);
    case ProposalMessageType.Accept:
      return decideAccept(state, envelope, codec);
    case ProposalMessageType.Reject:
      return decideReject(state, envelope, session, codec);
    case ProposalMessageType.Withdraw:
      return decideWithdraw(state, envelope, codec);
    default:
      return invalid(`message_type ${envelope.messageType} is not part of Proposal Mode`);
  }
}

function decideNew(state: ProposalState, { payload }: Envelope, codec: Codec): ModeDecision {
  const proposal = codec.decode(proposalPayloads.Proposal, payload);
  if (!proposal) return invalid('payload is not a ProposalPayload');
  return newIdFlaw(state, proposal.proposalId) ?? { facts: { proposal_id: proposal.proposalId } };
}

function decideCounter(
  state: ProposalState,
  { payload }: Envelope,
  { rules }: Session,
  codec: Codec,
): ModeDecision {
  const counter = codec.decode(proposalPayloads.CounterProposal, payload);
  if (!counter) return invalid('payload is not a CounterProposalPayload');
  const { proposalId, supersedesProposalId } = counter;
  const flaw = newIdFlaw(state, proposalId);
  if (flaw) return flaw;
  if (isBlank(supersedesProposalId)) return invalid('supersedes_proposal_id is empty');
  if (!treeGet(state.proposals, supersedesProposalId))
    return invalid('supersedes_proposal_id names no proposal of this session');
  if (rules.maxRounds > 0 && state.counterProposals >= rules.maxRounds)
    return invalid(`the policy allows ${rules.maxRounds} counter-proposals, and there are as many`);
  return { facts: { proposal_id: proposalId, supersedes: supersedesProposalId } };
}

function decideAccept(state: ProposalState, { payload }: Envelope, codec: Codec): ModeDecision {
  const accept = codec.decode(proposalPayloads.Accept, payload);
  if (!accept) return invalid('payload is not an AcceptPayload');
  return liveFlaw(state, accept.proposalId) ?? { facts: { proposal_id: accept.proposalId } };
}

function decideReject(
  state: ProposalState,
  { payload }: Envelope,
  { rules }: Session,
  codec: Codec,
): ModeDecision {
  const said = codec.decode(proposalPayloads.Reject, payload);
  if (!said) return invalid('payload is not a RejectPayload');
  const terminal = said.terminal || rules.terminalOnAnyReject;
  return liveFlaw(state, said.proposalId) ?? { facts: { proposal_id: said.proposalId, terminal } };
}

function decideWithdraw(state: ProposalState, { payload, sender }: Envelope, codec: Codec): ModeDecision {
  const withdraw = codec.decode(proposalPayloads.Withdraw, payload);
  if (!withdraw) return invalid('payload is not a WithdrawPayload');
  const proposal = treeGet(state.proposals, withdraw.proposalId);
  if (!proposal) return unknownProposal();
  if (proposal.author !== sender) return forbidden('only the author of a proposal may withdraw it');
  return liveFlaw(state, withdraw.proposalId) ?? { facts: { proposal_id: withdraw.proposalId } };
}

function newIdFlaw({ proposals }: ProposalState, id: string): ModeDecision | undefined {
  const flaw = idFlaw('proposal_id', id);
  if (flaw) return flaw;
  return treeGet(proposals, id) ? invalid(`proposal_id ${id} was used before in this session`) : undefined;
}

function liveFlaw({ proposals }: ProposalState, id: string): ModeDecision | undefined {
  const proposal = treeGet(proposals, id);
  if (!proposal) return unknownProposal();
  return proposal.withdrawn ? invalid(`proposal ${id} was withdrawn`) : undefined;
}

const unknownProposal = (): ModeDecision => invalid('proposal_id names no proposal of this session');
