/** Decision Mode, message by message (docs/spec/macp-2026.md 7.3 and 7.4). The order of the checks is the protocol's. */
import type { Codec } from '../../envelope/codec.js';
import type { Envelope } from '../../envelope/envelope.js';
import { isBlank } from '../../text.js';
import { forbidden, idFlaw, invalid, notListed } from '../answers.js';
import type { ModeDecision, SessionView } from '../mode.js';
import { treeGet } from '../tree.js';
import { DecisionMessageType, Recommendation, Severity, VoteWord } from './messages.js';
import { decisionPayloads } from './payloads.js';
import { DecisionPhase, type DecisionState } from './state.js';

export function decideDecision(
  state: DecisionState,
  envelope: Envelope,
  session: Pick<SessionView, 'participants'>,
  codec: Codec,
): ModeDecision {
  const unheard = notListed(envelope.sender, session);
  if (unheard) return unheard;
  switch (envelope.messageType) {
    case DecisionMessageType.Proposal:
      return decideProposal(state, envelope, codec);
    case DecisionMessageType.Evaluation:
      return decideEvaluation(state, envelope, codec);
    case DecisionMessageType.Objection:
      return decideObjection(state, envelope, codec);
    case DecisionMessageType.Vote:
      return decideVote(state, envelope, codec);
    default:
      return forbidden(`message_type ${envelope.messageType} is not part of Decision Mode`);
  }
}

function decideProposal(state: DecisionState, { payload }: Envelope, codec: Codec): ModeDecision {
  const proposal = codec.decode(decisionPayloads.Proposal, payload);
  if (!proposal) return invalid('payload is not a ProposalPayload');
  const { proposalId, option } = proposal;
  if (state.phase === DecisionPhase.Voting) return invalid('voting has begun; no proposal can be added');
  const flaw = idFlaw('proposal_id', proposalId);
  if (flaw) return flaw;
  if (isBlank(option)) return invalid('option is empty');
  if (treeGet(state.proposals, proposalId))
    return invalid(`proposal_id ${proposalId} was used before in this session`);
  return { facts: { proposal_id: proposalId } };
}

function decideEvaluation(state: DecisionState, { payload }: Envelope, codec: Codec): ModeDecision {
  const evaluation = codec.decode(decisionPayloads.Evaluation, payload);
  if (!evaluation) return invalid('payload is not an EvaluationPayload');
  const { proposalId: proposal_id, recommendation, confidence } = evaluation;
  const flaw = wordFlaw('recommendation', recommendation, Recommendation);
  if (flaw) return flaw;
  if (!(confidence >= 0 && confidence <= 1)) return invalid('confidence must be between 0 and 1');
  const late = reviewFlaw(state, proposal_id);
  // Adding zero turns minus zero into zero: facts are JSON, which does not tell them apart.
  return late ?? { facts: { proposal_id, recommendation, confidence: confidence + 0 } };
}

function decideObjection(state: DecisionState, { payload }: Envelope, codec: Codec): ModeDecision {
  const objection = codec.decode(decisionPayloads.Objection, payload);
  if (!objection) return invalid('payload is not an ObjectionPayload');
  const { proposalId: proposal_id, severity } = objection;
  const flaw = wordFlaw('severity', severity, Severity) ?? reviewFlaw(state, proposal_id);
  return flaw ?? { facts: { proposal_id, severity } };
}

function decideVote(state: DecisionState, { payload, sender }: Envelope, codec: Codec): ModeDecision {
  const said = codec.decode(decisionPayloads.Vote, payload);
  if (!said) return invalid('payload is not a VotePayload');
  const { proposalId: proposal_id, vote } = said;
  const flaw = wordFlaw('vote', vote, VoteWord);
  if (flaw) return flaw;
  if (!state.proposals) return invalid('there is no proposal to vote on');
  const proposal = treeGet(state.proposals, proposal_id);
  if (!proposal) return unknownProposal();
  if (treeGet(proposal.votes, sender)) return invalid(`the sender has already voted on ${proposal_id}`);
  return { facts: { proposal_id, vote } };
}

/** Evaluations and objections come between the first proposal and the first vote. */
function reviewFlaw(state: DecisionState, proposalId: string): ModeDecision | undefined {
  if (state.phase === DecisionPhase.Proposal) return invalid('there is no proposal yet');
  if (state.phase !== DecisionPhase.Evaluation) return invalid('voting has begun; only votes are taken');
  return treeGet(state.proposals, proposalId) ? undefined : unknownProposal();
}

/** Words are compared exactly: `approve` is not APPROVE. */
function wordFlaw(
  field: string,
  word: string,
  words: Readonly<Record<string, string>>,
): ModeDecision | undefined {
  const known = Object.values(words);
  return known.includes(word) ? undefined : invalid(`${field} must be one of ${known.join(', ')}`);
}

const unknownProposal = (): ModeDecision => invalid('proposal_id names no proposal of this session');
