import {
  DECISION_MODE,
  DecisionMessageType,
  type DecisionPhase,
  type DecisionState,
  decisionFacts,
  decisionPayloads,
  type Envelope,
  evolveDecision,
  NO_PROPOSALS,
  Recommendation,
  Severity,
  treeGet,
  VoteWord,
} from '@handover/core';
import { codec } from '../codec.js';
import { SessionProjection } from '../session/projection.js';
import type {
  DecisionEvaluationRecord,
  DecisionObjectionRecord,
  DecisionProposalRecord,
  DecisionVoteRecord,
} from './records.js';

/** Follows a Decision session on the client's side. */
export class DecisionProjection extends SessionProjection {
  override readonly mode = DECISION_MODE;
  /** Options by id, in the order in which they were proposed. */
  readonly proposals: Map<string, DecisionProposalRecord> = new Map();
  /** All evaluations, in order. */
  readonly evaluations: DecisionEvaluationRecord[] = [];
  /** All objections, in order. */
  readonly objections: DecisionObjectionRecord[] = [];
  /** The votes that count, by proposal id and then by sender. */
  readonly votes: Map<string, Map<string, DecisionVoteRecord>> = new Map();
  #state: DecisionState = NO_PROPOSALS;

  /** Proposal, Evaluation from the first option on, Voting from the first vote on, Committed. */
  override get phase(): DecisionPhase {
    return this.isCommitted ? 'Committed' : this.#state.phase;
  }
  /** How many approve each option; every option has its number. */
  voteTotals(): Record<string, number> {
    // Participants choose their ids: `__proto__` must be a key like any other.
    const totals: Record<string, number> = Object.create(null);
    for (const proposalId of this.proposals.keys())
      totals[proposalId] = this.#count(proposalId, VoteWord.Approve);
    return totals;
  }
  /** The share of approvals among the votes on an option that do not abstain; undefined without any. */
  voteRatio(proposalId: string): number | undefined {
    const approve = this.#count(proposalId, VoteWord.Approve);
    const decisive = approve + this.#count(proposalId, VoteWord.Reject);
    return decisive === 0 ? undefined : approve / decisive;
  }
  /** The option that more than half of all votes that do not abstain approve; undefined when there is none. */
  majorityWinner(): string | undefined {
    let decisive = 0;
    for (const votes of this.votes.values())
      for (const { vote } of votes.values()) if (vote !== VoteWord.Abstain) decisive++;
    return [...this.proposals.keys()].find((id) => this.#count(id, VoteWord.Approve) * 2 > decisive);
  }
  /** Whether somebody objected critically; only a policy makes that a veto. */
  hasBlockingObjection(proposalId: string): boolean {
    return this.objections.some(
      (said) => said.proposalId === proposalId && said.severity === Severity.Critical,
    );
  }
  /** Evaluations that recommend something: all but REVIEW. */
  qualifyingEvaluations(): DecisionEvaluationRecord[] {
    return this.evaluations.filter(({ recommendation }) => recommendation !== Recommendation.Review);
  }
  /** Evaluations that only ask for another look. */
  reviewEvaluations(): DecisionEvaluationRecord[] {
    return this.evaluations.filter(({ recommendation }) => recommendation === Recommendation.Review);
  }

  protected override reset(): void {
    this.#state = NO_PROPOSALS;
    this.proposals.clear();
    this.votes.clear();
    this.evaluations.length = 0;
    this.objections.length = 0;
  }

  protected override fold(envelope: Envelope, seq: number): void {
    const facts = decisionFacts(envelope.messageType, envelope.payload, codec);
    if (!facts) return;
    const before = this.#state;
    this.#state = evolveDecision(before, this.entry(envelope, seq, facts));
    if (this.#state !== before) this.#keep(envelope);
    else if (envelope.messageType === DecisionMessageType.Vote)
      this.#noteDuplicate(envelope, facts.proposal_id);
  }

  #count(proposalId: string, word: VoteWord): number {
    return [...(this.votes.get(proposalId)?.values() ?? [])].filter(({ vote }) => vote === word).length;
  }

  #noteDuplicate(envelope: Envelope, proposalId: unknown): void {
    if (typeof proposalId !== 'string') return;
    const first = treeGet(treeGet(this.#state.proposals, proposalId)?.votes, envelope.sender);
    if (first)
      this.note(
        'duplicate_vote',
        envelope,
        proposalId,
        `${envelope.sender} voted ${first} before; that vote counts`,
      );
  }

  /** Called only for an envelope that changed core's state. */
  #keep({ messageType, payload, sender }: Envelope): void {
    if (messageType === DecisionMessageType.Proposal) {
      const said = codec.decode(decisionPayloads.Proposal, payload);
      // A copy: the payload is a view on a whole network frame.
      if (said)
        this.proposals.set(said.proposalId, { ...said, supportingData: said.supportingData.slice(), sender });
    } else if (messageType === DecisionMessageType.Evaluation) {
      const said = codec.decode(decisionPayloads.Evaluation, payload);
      if (said) this.evaluations.push({ ...said, sender });
    } else if (messageType === DecisionMessageType.Objection) {
      const said = codec.decode(decisionPayloads.Objection, payload);
      if (said) this.objections.push({ ...said, sender });
    } else if (messageType === DecisionMessageType.Vote) this.#keepVote(payload, sender);
  }

  #keepVote(payload: Uint8Array, sender: string): void {
    const { proposalId = '', reason = '' } = codec.decode(decisionPayloads.Vote, payload) ?? {};
    const vote = treeGet(treeGet(this.#state.proposals, proposalId)?.votes, sender);
    if (!vote) return;
    const votes = this.votes.get(proposalId) ?? new Map<string, DecisionVoteRecord>();
    this.votes.set(proposalId, votes.set(sender, { proposalId, vote, reason, sender }));
  }
}
