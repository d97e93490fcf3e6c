/** The fold of Decision Mode. */
import { CoreMessageType } from '../../envelope/envelope.js';
import type { ModeEntry } from '../mode.js';
import { treeGet, treeSet } from '../tree.js';
import { DecisionMessageType, Recommendation, Severity, VoteWord } from './messages.js';
import { type Cast, DecisionPhase, type DecisionState } from './state.js';

export function evolveDecision(state: DecisionState, entry: ModeEntry): DecisionState {
  if (entry.type === CoreMessageType.Commitment) return { ...state, phase: DecisionPhase.Committed };
  const proposalId = entry.facts.proposal_id;
  if (typeof proposalId !== 'string') return state;
  switch (entry.type) {
    case DecisionMessageType.Proposal:
      return propose(state, proposalId, entry.actor);
    case DecisionMessageType.Evaluation:
      return evaluate(state, entry);
    case DecisionMessageType.Objection:
      return object(state, entry);
    case DecisionMessageType.Vote:
      return vote(state, proposalId, entry);
    default:
      return state;
  }
}

function propose(state: DecisionState, proposalId: string, proposedBy: string): DecisionState {
  if (treeGet(state.proposals, proposalId)) return state;
  const proposals = treeSet(state.proposals, proposalId, { proposedBy, votes: undefined });
  return { ...state, phase: DecisionPhase.Evaluation, proposals };
}

function evaluate(state: DecisionState, { facts }: ModeEntry): DecisionState {
  const { count, qualifying, confidence } = state.evaluations;
  if (facts.recommendation === Recommendation.Review)
    return { ...state, evaluations: { count: count + 1, qualifying, confidence } };
  const highest = Math.max(confidence, Number(facts.confidence));
  return {
    ...state,
    evaluations: { count: count + 1, qualifying: qualifying + 1, confidence: highest },
  };
}

function object(state: DecisionState, { facts, actor }: ModeEntry): DecisionState {
  const { count, critical, criticalBy } = state.objections;
  if (facts.severity !== Severity.Critical)
    return { ...state, objections: { count: count + 1, critical, criticalBy } };
  const by = criticalBy.includes(actor) ? criticalBy : [...criticalBy, actor].sort();
  return { ...state, objections: { count: count + 1, critical: critical + 1, criticalBy: by } };
}

function vote(state: DecisionState, proposalId: string, { facts, actor }: ModeEntry): DecisionState {
  const proposal = treeGet(state.proposals, proposalId);
  const word = Object.values(VoteWord).find((known) => known === facts.vote);
  if (!proposal || !word || treeGet(proposal.votes, actor)) return state;
  const voted = { ...proposal, votes: treeSet(proposal.votes, actor, word) };
  return {
    ...state,
    phase: DecisionPhase.Voting,
    proposals: treeSet(state.proposals, proposalId, voted),
    cast: treeSet(state.cast, actor, counted(treeGet(state.cast, actor), word)),
  };
}

function counted({ approvals, rejections }: Cast = { approvals: 0, rejections: 0 }, word: VoteWord): Cast {
  return {
    approvals: approvals + (word === VoteWord.Approve ? 1 : 0),
    rejections: rejections + (word === VoteWord.Reject ? 1 : 0),
  };
}
