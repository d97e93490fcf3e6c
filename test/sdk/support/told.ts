/** Projections in the words of the fixtures, which both SDKs share. */
import { corePayloads, payloadToJson } from '@handover/core';
import {
  DecisionProjection,
  HandoffProjection,
  MODE_DECISION,
  MODE_HANDOFF,
  MODE_MULTI_ROUND,
  MODE_PROPOSAL,
  MODE_QUORUM,
  MODE_TASK,
  MultiRoundProjection,
  ProposalProjection,
  QuorumProjection,
  type SessionProjection,
  TaskProjection,
} from 'macp-sdk-typescript';
import { nodeCodec } from '../../../packages/server/src/platform/node-codec.js';

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const orNull = <T>(value: T | undefined) => value ?? null;
/** Each key's answer, for queries that take an id or a name. */
const each = <T>(keys: Iterable<string>, answer: (key: string) => T) =>
  Object.fromEntries([...keys].map((key) => [key, answer(key)]));

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A record with its fields in snake_case, bytes as base64. */
function record(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) =>
      field instanceof Uint8Array ? [`${snake(key)}_b64`, base64(field)] : [snake(key), field],
    ),
  );
}

const records = (values: Iterable<object>) => [...values].map(record);

const MODES: Readonly<Record<string, () => SessionProjection>> = {
  [MODE_DECISION]: () => new DecisionProjection(),
  [MODE_PROPOSAL]: () => new ProposalProjection(),
  [MODE_TASK]: () => new TaskProjection(),
  [MODE_HANDOFF]: () => new HandoffProjection(),
  [MODE_QUORUM]: () => new QuorumProjection(),
  [MODE_MULTI_ROUND]: () => new MultiRoundProjection(),
};

export function projectionOf(mode: string): SessionProjection {
  const make = MODES[mode];
  if (!make) throw new Error(`no projection of ${mode}`);
  return make();
}

export function told(projection: SessionProjection): Record<string, unknown> {
  const { commitment, frozenContext } = projection;
  return {
    phase: projection.phase,
    session_state: projection.sessionState,
    initiator: orNull(projection.initiator),
    frozen_context_b64: frozenContext ? base64(frozenContext) : null,
    is_committed: projection.isCommitted,
    is_positive_outcome: projection.isPositiveOutcome,
    commitment: commitment ? payloadToJson(corePayloads.Commitment, commitment, nodeCodec) : null,
    anomalies: projection.anomalies.map(({ detail: _, ...anomaly }) => record(anomaly)),
    transcript_length: projection.transcript.length,
    sequence: projection.sequence,
    ...toldOf(projection),
  };
}

function toldOf(projection: SessionProjection): Record<string, unknown> {
  const people = projection.sessionStart?.participants ?? [];
  if (projection instanceof DecisionProjection) return decision(projection);
  if (projection instanceof ProposalProjection) return proposal(projection);
  if (projection instanceof TaskProjection) return task(projection, people);
  if (projection instanceof QuorumProjection) return quorum(projection);
  if (projection instanceof HandoffProjection) return handoff(projection, people);
  if (projection instanceof MultiRoundProjection)
    return {
      round: projection.round,
      is_converged: projection.isConverged,
      converged_value: orNull(projection.convergedValue),
      values: Object.fromEntries(projection.values),
      contributions: records(projection.contributions),
    };
  throw new Error('an unknown projection');
}

function decision(projection: DecisionProjection) {
  const ids = [...projection.proposals.keys()];
  return {
    proposals: records(projection.proposals.values()),
    evaluations: records(projection.evaluations),
    objections: records(projection.objections),
    votes: each(projection.votes.keys(), (id) => records(projection.votes.get(id)?.values() ?? [])),
    vote_totals: { ...projection.voteTotals() },
    vote_ratio: each(ids, (id) => orNull(projection.voteRatio(id))),
    majority_winner: orNull(projection.majorityWinner()),
    has_blocking_objection: each(ids, (id) => projection.hasBlockingObjection(id)),
    qualifying_evaluations: projection.qualifyingEvaluations().length,
    review_evaluations: projection.reviewEvaluations().length,
  };
}

function proposal(projection: ProposalProjection) {
  const ids = [...projection.proposals.keys()];
  return {
    proposals: records(projection.proposals.values()),
    accepts: records(projection.accepts),
    rejections: records(projection.rejections),
    acceptances: Object.fromEntries(projection.acceptances),
    counter_proposals: projection.counterProposals,
    active_proposals: projection.activeProposals().map(({ proposalId }) => proposalId),
    latest_proposal: orNull(projection.latestProposal()?.proposalId),
    is_accepted: each(ids, (id) => projection.isAccepted(id)),
    is_terminally_rejected: each(ids, (id) => projection.isTerminallyRejected(id)),
    is_converged: {
      all_parties: projection.isConverged('all_parties'),
      counterparty: projection.isConverged('counterparty'),
      initiator: projection.isConverged('initiator'),
    },
  };
}

function task(projection: TaskProjection, people: readonly string[]) {
  const ids = [...projection.tasks.keys()];
  return {
    task: projection.task ? record(projection.task) : null,
    updates: records(projection.updates),
    completions: records(projection.completions),
    failures: records(projection.failures),
    progress_of: each(ids, (id) => projection.progressOf(id)),
    is_complete: each(ids, (id) => projection.isComplete(id)),
    is_failed: each(ids, (id) => projection.isFailed(id)),
    is_retryable: each(ids, (id) => projection.isRetryable(id)),
    active_tasks: projection.activeTasks().map(({ taskId }) => taskId),
    has_declined: each(people, (name) => projection.hasDeclined(name)),
    can_accept: each(people, (name) => projection.canAccept(name)),
    negative_commit_eligible: projection.negativeCommitEligible,
  };
}

function quorum(projection: QuorumProjection) {
  const ids = [...projection.requests.keys()];
  return {
    requests: records(projection.requests.values()),
    ballots: each(projection.ballots.keys(), (id) => records(projection.ballots.get(id)?.values() ?? [])),
    approval_count: each(ids, (id) => projection.approvalCount(id)),
    rejection_count: each(ids, (id) => projection.rejectionCount(id)),
    abstention_count: each(ids, (id) => projection.abstentionCount(id)),
    threshold: each(ids, (id) => projection.threshold(id)),
    has_quorum: each(ids, (id) => projection.hasQuorum(id)),
    remaining_votes_needed: each(ids, (id) => projection.remainingVotesNeeded(id)),
    voted_senders: each(ids, (id) => projection.votedSenders(id)),
  };
}

function handoff(projection: HandoffProjection, people: readonly string[]) {
  return {
    detailed_phase: projection.detailedPhase,
    offers: each(projection.offers.keys(), (id) => {
      const { targetParticipant, disposition, implicit } = projection.offers.get(id) ?? {};
      return { target_participant: targetParticipant, disposition, implicit };
    }),
    active_offer: orNull(projection.activeOffer()?.handoffId),
    accepted_offer: orNull(projection.acceptedOffer()?.handoffId),
    declined_targets: projection.declinedTargets(),
    can_offer_to: each(people, (name) => projection.canOfferTo(name)),
  };
}
