import type { HandoffPayloads } from '@handover/core';
import type { Bindings } from '../payloads.js';
import { bool, bytes, string } from '../proto/field.js';
import { message } from '../proto/message.js';

export const handoffPayloadTypes: Bindings<HandoffPayloads> = {
  HandoffOffer: message({
    handoffId: string(1),
    targetParticipant: string(2),
    scope: string(3),
    reason: string(4),
  }),
  HandoffContext: message({ handoffId: string(1), contentType: string(2), context: bytes(3) }),
  HandoffAccept: message({
    handoffId: string(1),
    acceptedBy: string(2),
    reason: string(3),
    implicit: bool(4),
  }),
  HandoffDecline: message({ handoffId: string(1), declinedBy: string(2), reason: string(3) }),
};
