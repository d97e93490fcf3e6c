/** The payloads of Handoff Mode, and how each looks in JSON. */
import { bool, bytes, string } from '../../envelope/json/kinds.js';
import { object } from '../../envelope/json/object-kind.js';
import { payloadTable } from '../../envelope/payload-kind.js';
import { HANDOFF_MODE } from './messages.js';

export interface HandoffOfferPayload {
  readonly handoffId: string;
  readonly targetParticipant: string;
  readonly scope: string;
  readonly reason: string;
}

export interface HandoffContextPayload {
  readonly handoffId: string;
  readonly contentType: string;
  readonly context: Uint8Array;
}

export interface HandoffAcceptPayload {
  readonly handoffId: string;
  readonly acceptedBy: string;
  readonly reason: string;
  readonly implicit: boolean;
}

export interface HandoffDeclinePayload {
  readonly handoffId: string;
  readonly declinedBy: string;
  readonly reason: string;
}

export interface HandoffPayloads {
  HandoffOffer: HandoffOfferPayload;
  HandoffContext: HandoffContextPayload;
  HandoffAccept: HandoffAcceptPayload;
  HandoffDecline: HandoffDeclinePayload;
}

export const handoffPayloads = payloadTable<HandoffPayloads>(HANDOFF_MODE, {
  HandoffOffer: object({ handoffId: string, targetParticipant: string, scope: string, reason: string }),
  HandoffContext: object({ handoffId: string, contentType: string, context: bytes }),
  HandoffAccept: object({ handoffId: string, acceptedBy: string, reason: string, implicit: bool }),
  HandoffDecline: object({ handoffId: string, declinedBy: string, reason: string }),
});
