import {
  type Ballot,
  type Envelope,
  evolveQuorum,
  NO_REQUEST,
  QUORUM_MODE,
  QuorumMessageType,
  type QuorumState,
  quorumFacts,
  quorumPayloads,
} from '@handover/core';
import { codec } from '../codec.js';
import { SessionProjection } from '../session/projection.js';
import type { ApprovalRequestRecord, BallotRecord, QuorumPhase } from './records.js';

/**
 * Follows a Quorum session on the client's side. Numbers are those of the request; what a policy makes of them says
 * `effectiveQuorumThreshold`.
 */
export class QuorumProjection extends SessionProjection {
  override readonly mode = QUORUM_MODE;
  /** The request by its id; at most one. */
  readonly requests: Map<string, ApprovalRequestRecord> = new Map();
  /** The ballots that count, by request id and then by sender. */
  readonly ballots: Map<string, Map<string, BallotRecord>> = new Map();
  #state: QuorumState = NO_REQUEST;

  /** Pending, Voting from the request on, Committed. */
  override get phase(): QuorumPhase {
    if (this.isCommitted) return 'Committed';
    return this.#state.request ? 'Voting' : 'Pending';
  }
  /** How many approve. */
  approvalCount(requestId: string): number {
    return this.#count(requestId, 'approve');
  }
  /** How many reject. */
  rejectionCount(requestId: string): number {
    return this.#count(requestId, 'reject');
  }
  /** How many abstain. */
  abstentionCount(requestId: string): number {
    return this.#count(requestId, 'abstain');
  }
  /** How many approvals the request asks for; 0 when there is no such request. */
  threshold(requestId: string): number {
    return this.requests.get(requestId)?.requiredApprovals ?? 0;
  }
  /** Whether as many approve as the request asks for. */
  hasQuorum(requestId: string): boolean {
    return this.requests.has(requestId) && this.remainingVotesNeeded(requestId) === 0;
  }
  /** How many approvals are missing. */
  remainingVotesNeeded(requestId: string): number {
    return Math.max(0, this.threshold(requestId) - this.approvalCount(requestId));
  }
  /** Who has cast a ballot, in order. */
  votedSenders(requestId: string): string[] {
    return [...(this.ballots.get(requestId)?.keys() ?? [])];
  }

  protected override reset(): void {
    this.#state = NO_REQUEST;
    this.requests.clear();
    this.ballots.clear();
  }

  protected override fold(envelope: Envelope, seq: number): void {
    const facts = quorumFacts(envelope.messageType, envelope.payload, codec);
    if (!facts) return;
    const before = this.#state;
    this.#state = evolveQuorum(before, this.entry(envelope, seq, facts));
    if (this.#state !== before) this.#keep(envelope);
    else if (envelope.messageType !== QuorumMessageType.Request)
      this.#noteDuplicate(envelope, facts.request_id);
  }

  #count(requestId: string, wanted: Ballot['choice']): number {
    return [...(this.ballots.get(requestId)?.values() ?? [])].filter(({ choice }) => choice === wanted)
      .length;
  }

  #noteDuplicate(envelope: Envelope, requestId: unknown): void {
    const { request, ballots } = this.#state;
    const first = ballots.find(({ by }) => by === envelope.sender);
    if (first && request && request.requestId === requestId)
      this.note(
        'duplicate_ballot',
        envelope,
        request.requestId,
        `${first.by} cast "${first.choice}" before; that counts`,
      );
  }

  /** Called only for an envelope that changed core's state. */
  #keep({ messageType, payload, sender }: Envelope): void {
    if (messageType === QuorumMessageType.Request) {
      const said = codec.decode(quorumPayloads.ApprovalRequest, payload);
      // A copy: the payload is a view on a whole network frame.
      if (said) this.requests.set(said.requestId, { ...said, details: said.details.slice(), sender });
      return;
    }
    const cast = this.#state.ballots.at(-1);
    // The three kinds of ballots have the same payload.
    const said = codec.decode(quorumPayloads.Approve, payload);
    if (!cast || !said) return;
    const { requestId, reason } = said;
    const ballots = this.ballots.get(requestId) ?? new Map<string, BallotRecord>();
    this.ballots.set(requestId, ballots.set(sender, { requestId, choice: cast.choice, reason, sender }));
  }
}
