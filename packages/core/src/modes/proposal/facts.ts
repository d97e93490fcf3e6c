/** What the fold of Proposal Mode reads of an accepted message; titles, summaries and reasons stay in the payload. */
import type { Codec } from '../../envelope/codec.js';
import type { PayloadKind } from '../../envelope/payload-kind.js';
import type { JsonObject } from '../../log/json.js';
import { ProposalMessageType } from './messages.js';
import { proposalPayloads } from './payloads.js';

/** As the sender said it: a policy may make every rejection one for good, which only the runtime knows. */
export function proposalFacts(
  messageType: string,
  payload: Uint8Array,
  codec: Codec,
): JsonObject | undefined {
  switch (messageType) {
    case ProposalMessageType.CounterProposal: {
      const counter = codec.decode(proposalPayloads.CounterProposal, payload);
      return counter && { proposal_id: counter.proposalId, supersedes: counter.supersedesProposalId };
    }
    case ProposalMessageType.Reject: {
      const said = codec.decode(proposalPayloads.Reject, payload);
      return said && { proposal_id: said.proposalId, terminal: said.terminal };
    }
    case ProposalMessageType.Proposal:
    case ProposalMessageType.Accept:
    case ProposalMessageType.Withdraw: {
      const kind: PayloadKind<{ readonly proposalId: string }> = proposalPayloads[messageType];
      const said = codec.decode(kind, payload);
      return said && { proposal_id: said.proposalId };
    }
    default:
      return undefined;
  }
}
