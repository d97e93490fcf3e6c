/** The facts of each Handoff message: ids and targets. Scope, reason and context stay in the payload. */
import type { Codec } from '../../envelope/codec.js';
import type { JsonObject } from '../../log/json.js';
import { HandoffMessageType } from './messages.js';
import { handoffPayloads } from './payloads.js';

export function handoffFacts(messageType: string, payload: Uint8Array, codec: Codec): JsonObject | undefined {
  switch (messageType) {
    case HandoffMessageType.Offer: {
      const offer = codec.decode(handoffPayloads.HandoffOffer, payload);
      return offer && { handoff_id: offer.handoffId, target: offer.targetParticipant };
    }
    case HandoffMessageType.Context: {
      const context = codec.decode(handoffPayloads.HandoffContext, payload);
      return context && { handoff_id: context.handoffId };
    }
    case HandoffMessageType.Accept: {
      const accept = codec.decode(handoffPayloads.HandoffAccept, payload);
      return (
        accept &&
        (accept.implicit
          ? { handoff_id: accept.handoffId, implicit: true }
          : { handoff_id: accept.handoffId })
      );
    }
    case HandoffMessageType.Decline: {
      const decline = codec.decode(handoffPayloads.HandoffDecline, payload);
      return decline && { handoff_id: decline.handoffId };
    }
    default:
      return undefined;
  }
}
