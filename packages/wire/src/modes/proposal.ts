import type { ProposalPayloads } from '@handover/core';
import type { Bindings } from '../payloads.js';
import { bool, bytes, string, strings } from '../proto/field.js';
import { message } from '../proto/message.js';

export const proposalPayloadTypes: Bindings<ProposalPayloads> = {
  Proposal: message({
    proposalId: string(1),
    title: string(2),
    summary: string(3),
    details: bytes(4),
    tags: strings(5),
  }),
  CounterProposal: message({
    proposalId: string(1),
    supersedesProposalId: string(2),
    title: string(3),
    summary: string(4),
    details: bytes(5),
  }),
  Accept: message({ proposalId: string(1), reason: string(2) }),
  Reject: message({ proposalId: string(1), terminal: bool(2), reason: string(3) }),
  Withdraw: message({ proposalId: string(1), reason: string(2) }),
};
