/** What the fold of Quorum Mode reads of an accepted message; summaries, details and reasons stay in the payload. */
import type { Codec } from '../../envelope/codec.js';
import type { JsonObject } from '../../log/json.js';
import { QuorumMessageType } from './messages.js';
import { quorumPayloads } from './payloads.js';

export function quorumFacts(messageType: string, payload: Uint8Array, codec: Codec): JsonObject | undefined {
  switch (messageType) {
    case QuorumMessageType.Request: {
      const request = codec.decode(quorumPayloads.ApprovalRequest, payload);
      return request && { request_id: request.requestId, required_approvals: request.requiredApprovals };
    }
    case QuorumMessageType.Approve:
    case QuorumMessageType.Reject:
    case QuorumMessageType.Abstain: {
      const ballot = codec.decode(quorumPayloads[messageType], payload);
      return ballot && { request_id: ballot.requestId };
    }
    default:
      return undefined;
  }
}
