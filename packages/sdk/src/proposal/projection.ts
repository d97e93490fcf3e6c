import {
  acceptancesOf,
  type Envelope,
  evolveProposal,
  isConverged,
  isRejectedForGood,
  NOTHING_PROPOSED,
  PROPOSAL_MODE,
  ProposalMessageType,
  type ProposalRules,
  type ProposalState,
  proposalFacts,
  proposalPayloads,
  STRICTEST_PROPOSAL_RULES,
  treeGet,
} from '@handover/core';
import { codec } from '../codec.js';
import { SessionProjection } from '../session/projection.js';
import type {
  ProposalAcceptRecord,
  ProposalPhase,
  ProposalRecord,
  ProposalRejectRecord,
  ProposalStatus,
} from './records.js';

type Words = Omit<ProposalRecord, 'status'>;

/**
 * Follows a Proposal session on the client's side. Of the session's policy it knows nothing: under
 * `terminal_on_any_reject` each rejection is for good, and only the runtime says so.
 */
export class ProposalProjection extends SessionProjection {
  override readonly mode = PROPOSAL_MODE;
  /** Proposals and counter-proposals by id, in order. */
  readonly proposals: Map<string, ProposalRecord> = new Map();
  /** All acceptances, in order; `acceptances` has those that count. */
  readonly accepts: ProposalAcceptRecord[] = [];
  /** All rejections, in order. */
  readonly rejections: ProposalRejectRecord[] = [];
  #state: ProposalState = NOTHING_PROPOSED;

  /** TerminalRejected while a proposal is rejected for good, Negotiating otherwise, Committed at the end. */
  override get phase(): ProposalPhase {
    if (this.isCommitted) return 'Committed';
    return isRejectedForGood(this.#state) ? 'TerminalRejected' : 'Negotiating';
  }
  /** The proposal that each participant accepts now. */
  get acceptances(): ReadonlyMap<string, string> {
    return acceptancesOf(this.#state);
  }
  /** How many counter-proposals were made; a policy may limit them. */
  get counterProposals(): number {
    return this.#state.counterProposals;
  }
  /** Proposals that are on the table: neither withdrawn nor rejected for good. */
  activeProposals(): ProposalRecord[] {
    return [...this.proposals.values()].filter(({ status }) => status === 'open');
  }
  /** The newest proposal or counter-proposal. */
  latestProposal(): ProposalRecord | undefined {
    return [...this.proposals.values()].at(-1);
  }
  /** Whether somebody accepts the proposal now. */
  isAccepted(proposalId: string): boolean {
    return [...this.acceptances.values()].includes(proposalId);
  }
  /** Whether the proposal is rejected for good. */
  isTerminallyRejected(proposalId: string): boolean {
    return treeGet(this.#state.proposals, proposalId)?.rejectedForGood === true;
  }
  /** Whether the participants agree on a proposal, by the criterion of the session's policy. */
  isConverged(criterion: ProposalRules['criterion'] = 'all_parties'): boolean {
    const { sessionStart, initiator = '' } = this;
    if (!sessionStart) return false;
    const rules = { ...STRICTEST_PROPOSAL_RULES, criterion };
    return isConverged(this.#state, { rules, participants: sessionStart.participants, initiator });
  }

  protected override reset(): void {
    this.#state = NOTHING_PROPOSED;
    this.proposals.clear();
    this.accepts.length = 0;
    this.rejections.length = 0;
  }

  protected override fold(envelope: Envelope, seq: number): void {
    const facts = proposalFacts(envelope.messageType, envelope.payload, codec);
    if (!facts) return;
    const before = this.#state;
    this.#state = evolveProposal(before, this.entry(envelope, seq, facts));
    if (this.#state !== before) this.#keep(envelope);
  }

  /** Called only for an envelope that changed core's state. */
  #keep({ messageType, payload, sender }: Envelope): void {
    if (messageType === ProposalMessageType.Proposal) {
      const said = codec.decode(proposalPayloads.Proposal, payload);
      if (said) this.#set({ ...said, details: said.details.slice(), sender });
    } else if (messageType === ProposalMessageType.CounterProposal) {
      const said = codec.decode(proposalPayloads.CounterProposal, payload);
      if (!said) return;
      const { supersedesProposalId: supersedes, ...words } = said;
      this.#set({ ...words, details: said.details.slice(), tags: [], supersedes, sender });
    } else if (messageType === ProposalMessageType.Accept) {
      const said = codec.decode(proposalPayloads.Accept, payload);
      if (said) this.accepts.push({ ...said, sender });
    } else if (messageType === ProposalMessageType.Reject) {
      const said = codec.decode(proposalPayloads.Reject, payload);
      if (said) this.rejections.push({ ...said, sender });
      this.#refresh(said?.proposalId);
    } else if (messageType === ProposalMessageType.Withdraw)
      this.#refresh(codec.decode(proposalPayloads.Withdraw, payload)?.proposalId);
  }

  #set(words: Words): void {
    this.proposals.set(words.proposalId, { ...words, status: this.#statusOf(words.proposalId) });
  }

  #refresh(proposalId: string | undefined): void {
    const record = this.proposals.get(proposalId ?? '');
    if (record) this.#set(record);
  }

  #statusOf(proposalId: string): ProposalStatus {
    const proposal = treeGet(this.#state.proposals, proposalId);
    if (proposal?.withdrawn) return 'withdrawn';
    return proposal?.rejectedForGood ? 'rejected' : 'open';
  }
}
