/** What the fold of Decision Mode reads of an accepted message; rationale, reasons and data stay in the payload. */
import type { Codec } from '../../envelope/codec.js';
import type { JsonObject } from '../../log/json.js';
import { DecisionMessageType } from './messages.js';
import { decisionPayloads } from './payloads.js';

export function decisionFacts(
  messageType: string,
  payload: Uint8Array,
  codec: Codec,
): JsonObject | undefined {
  switch (messageType) {
    case DecisionMessageType.Proposal: {
      const proposal = codec.decode(decisionPayloads.Proposal, payload);
      return proposal && { proposal_id: proposal.proposalId };
    }
    case DecisionMessageType.Evaluation: {
      const said = codec.decode(decisionPayloads.Evaluation, payload);
      if (!said) return undefined;
      // Adding zero turns minus zero into zero: facts are JSON, which does not tell them apart.
      const confidence = said.confidence + 0;
      return { proposal_id: said.proposalId, recommendation: said.recommendation, confidence };
    }
    case DecisionMessageType.Objection: {
      const said = codec.decode(decisionPayloads.Objection, payload);
      return said && { proposal_id: said.proposalId, severity: said.severity };
    }
    case DecisionMessageType.Vote: {
      const said = codec.decode(decisionPayloads.Vote, payload);
      return said && { proposal_id: said.proposalId, vote: said.vote };
    }
    default:
      return undefined;
  }
}
