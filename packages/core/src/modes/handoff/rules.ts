/**
 * RFC-MACP-0010 section 5, message by message. The order of the checks is part of the protocol: decode, offer exists,
 * sender, consistency, disposition.
 */
import type { Codec } from '../../envelope/codec.js';
import type { Envelope } from '../../envelope/envelope.js';
import { type Rejection, RejectionCode, reject } from '../../rejection.js';
import { isId } from '../../text.js';
import type { ModeDecision, SessionView } from '../mode.js';
import { handoffFacts } from './facts.js';
import { HandoffMessageType } from './messages.js';
import { handoffPayloads } from './payloads.js';
import { acceptedOffer, Disposition, findOffer, type HandoffState, type Offer, openOffer } from './state.js';

const invalid = (message: string): ModeDecision => ({
  rejection: reject(RejectionCode.INVALID_ENVELOPE, message),
});
const forbidden = (message: string): ModeDecision => ({
  rejection: reject(RejectionCode.FORBIDDEN, message),
});

export function decideHandoff(
  state: HandoffState,
  envelope: Envelope,
  session: SessionView,
  codec: Codec,
): ModeDecision {
  switch (envelope.messageType) {
    case HandoffMessageType.Offer:
      return decideOffer(state, envelope, session, codec);
    case HandoffMessageType.Context:
      return decideContext(state, envelope, codec);
    case HandoffMessageType.Accept:
      return decideAccept(state, envelope, codec);
    case HandoffMessageType.Decline:
      return decideDecline(state, envelope, codec);
    default:
      return invalid(`message_type ${envelope.messageType} is not part of Handoff Mode`);
  }
}

function decideOffer(
  state: HandoffState,
  envelope: Envelope,
  session: SessionView,
  codec: Codec,
): ModeDecision {
  if (envelope.sender !== session.initiator) return forbidden('only the session initiator may offer');
  const offer = codec.decode(handoffPayloads.HandoffOffer, envelope.payload);
  if (!offer) return invalid('payload is not a HandoffOfferPayload');
  if (!isId(offer.handoffId)) return invalid('handoff_id must be 1 to 256 bytes without control characters');
  if (!isId(offer.targetParticipant))
    return invalid('target_participant must be 1 to 256 bytes without control characters');
  if (findOffer(state, offer.handoffId))
    return invalid(`handoff_id ${offer.handoffId} was used before in this session`);
  if (!session.participants.includes(offer.targetParticipant))
    return invalid('target_participant is not a participant of this session');
  if (offer.targetParticipant === envelope.sender) return invalid('target_participant is the offering owner');
  const open = openOffer(state);
  if (open) return invalid(`offer ${open.handoffId} is still pending; one offer at a time`);
  const settled = acceptedOffer(state);
  if (settled) return invalid(`offer ${settled.handoffId} was accepted; no further offer is possible`);
  if (state.offers.some((other) => other.target === offer.targetParticipant))
    return invalid('target_participant already declined in this session; offer to someone else');
  return { facts: handoffFacts(HandoffMessageType.Offer, envelope.payload, codec) ?? {} };
}

function decideContext(state: HandoffState, envelope: Envelope, codec: Codec): ModeDecision {
  const context = codec.decode(handoffPayloads.HandoffContext, envelope.payload);
  if (!context) return invalid('payload is not a HandoffContextPayload');
  const offer = findOffer(state, context.handoffId);
  if (!offer) return unknownOffer();
  if (envelope.sender !== offer.offeredBy)
    return forbidden('only the sender of the offer may attach context to it');
  return { facts: { handoff_id: context.handoffId } };
}

function decideAccept(state: HandoffState, envelope: Envelope, codec: Codec): ModeDecision {
  const accept = codec.decode(handoffPayloads.HandoffAccept, envelope.payload);
  if (!accept) return invalid('payload is not a HandoffAcceptPayload');
  // Before anything about the offer: nobody may claim it, whoever they are.
  if (accept.implicit) return invalid('implicit is set by the runtime only');
  const offer = findOffer(state, accept.handoffId);
  if (!offer) return unknownOffer();
  const flaw = answerFlaw(offer, envelope.sender, accept.acceptedBy, 'accepted_by');
  if (flaw) return { rejection: flaw };
  return { facts: { handoff_id: accept.handoffId } };
}

function decideDecline(state: HandoffState, envelope: Envelope, codec: Codec): ModeDecision {
  const decline = codec.decode(handoffPayloads.HandoffDecline, envelope.payload);
  if (!decline) return invalid('payload is not a HandoffDeclinePayload');
  const offer = findOffer(state, decline.handoffId);
  if (!offer) return unknownOffer();
  const flaw = answerFlaw(offer, envelope.sender, decline.declinedBy, 'declined_by');
  return flaw ? { rejection: flaw } : { facts: { handoff_id: decline.handoffId } };
}

function answerFlaw(offer: Offer, sender: string, by: string, field: string): Rejection | undefined {
  if (sender !== offer.target)
    return reject(RejectionCode.FORBIDDEN, `only the target of offer ${offer.handoffId} may answer it`);
  if (by !== '' && by !== sender)
    return reject(RejectionCode.INVALID_ENVELOPE, `${field} must be empty or the sender`);
  if (offer.disposition !== Disposition.Offered)
    return reject(
      RejectionCode.INVALID_ENVELOPE,
      `offer ${offer.handoffId} was already ${offer.disposition}`,
    );
  return undefined;
}

const unknownOffer = (): ModeDecision => invalid('handoff_id names no offer of this session');
