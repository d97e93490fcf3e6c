/** The payloads of Proposal Mode, and how each looks in JSON. */
import { bool, bytes, list, string } from '../../envelope/json/kinds.js';
import { END_NAMES } from '../../envelope/json/misspelt.js';
import { object } from '../../envelope/json/object-kind.js';
import { payloadTable } from '../../envelope/payload-kind.js';
import { PROPOSAL_MODE } from './messages.js';

export interface ProposalPayload {
  readonly proposalId: string;
  readonly title: string;
  readonly summary: string;
  readonly details: Uint8Array;
  readonly tags: readonly string[];
}

export interface CounterProposalPayload {
  readonly proposalId: string;
  readonly supersedesProposalId: string;
  readonly title: string;
  readonly summary: string;
  readonly details: Uint8Array;
}

export interface ProposalAcceptPayload {
  readonly proposalId: string;
  readonly reason: string;
}

export interface ProposalRejectPayload {
  readonly proposalId: string;
  readonly terminal: boolean;
  readonly reason: string;
}

export interface WithdrawPayload {
  readonly proposalId: string;
  readonly reason: string;
}

export interface ProposalPayloads {
  Proposal: ProposalPayload;
  CounterProposal: CounterProposalPayload;
  Accept: ProposalAcceptPayload;
  Reject: ProposalRejectPayload;
  Withdraw: WithdrawPayload;
}

export const proposalPayloads = payloadTable<ProposalPayloads>(PROPOSAL_MODE, {
  Proposal: object({
    proposalId: string,
    title: string,
    summary: string,
    details: bytes,
    tags: list(string),
  }),
  CounterProposal: object({
    proposalId: string,
    supersedesProposalId: string,
    title: string,
    summary: string,
    details: bytes,
  }),
  Accept: object({ proposalId: string, reason: string }),
  Reject: object<ProposalRejectPayload>(
    { proposalId: string, terminal: bool, reason: string },
    {},
    END_NAMES,
  ),
  Withdraw: object({ proposalId: string, reason: string }),
});
