/**
 * Core's fold of Handoff Mode, and beside it the words and bytes that a client wants to keep. Which offer is open, which
 * answer counts and which context is late is read from core's state, never decided here.
 */
import {
  Disposition,
  type Envelope,
  evolveHandoff,
  findOffer,
  HandoffMessageType,
  type HandoffState,
  handoffFacts,
  handoffPayloads,
  IMPLICIT_DECLINE_PREFIX,
  NO_OFFERS,
  type Offer,
} from '@handover/core';
import { codec } from '../codec.js';
import type { HandoffContextRecord, HandoffRecord, HandoffStatus } from './records.js';

interface Words {
  readonly scope: string;
  readonly reason: string;
  readonly answeredBy?: string;
  readonly answerReason?: string;
}

export class HandoffFold {
  state: HandoffState = NO_OFFERS;
  readonly contexts: Map<string, HandoffContextRecord[]>;
  readonly #words = new Map<string, Words>();

  constructor(contexts: Map<string, HandoffContextRecord[]>) {
    this.contexts = contexts;
  }

  reset(): void {
    this.state = NO_OFFERS;
    this.contexts.clear();
    this.#words.clear();
  }

  /** The handoff that the envelope is about, and whether it changed; undefined when it is about none. */
  apply(envelope: Envelope, seq: number): { readonly id: string; readonly changed: boolean } | undefined {
    const { messageType: type, sender: actor, timestampUnixMs: at, payload } = envelope;
    const read = handoffFacts(type, payload, codec);
    if (!read || typeof read.handoff_id !== 'string') return undefined;
    // A decline has no field for it; the message id, which only the runtime may write, says so.
    const facts = envelope.messageId.startsWith(IMPLICIT_DECLINE_PREFIX) ? { ...read, implicit: true } : read;
    const before = this.state;
    this.state = evolveHandoff(before, { type, facts, actor, at, seq }, { suspendedTotalMs: 0 });
    const changed = this.state !== before;
    if (changed) this.#keep(read.handoff_id, envelope);
    return { id: read.handoff_id, changed };
  }

  record(handoffId: string): HandoffRecord | undefined {
    const offer = findOffer(this.state, handoffId);
    const words = this.#words.get(handoffId);
    return offer && words && toRecord(offer, words, this.contexts.get(handoffId)?.at(-1)?.contentType);
  }

  /** Called only for an envelope that changed core's state, so each of these is the first and only of its kind. */
  #keep(handoffId: string, { messageType, payload, sender }: Envelope): void {
    if (messageType === HandoffMessageType.Offer) {
      const { scope = '', reason = '' } = codec.decode(handoffPayloads.HandoffOffer, payload) ?? {};
      this.#words.set(handoffId, { scope, reason });
    } else if (messageType === HandoffMessageType.Context) this.#keepContext(handoffId, payload, sender);
    else if (messageType === HandoffMessageType.Accept) {
      const accept = codec.decode(handoffPayloads.HandoffAccept, payload);
      this.#answer(handoffId, accept?.acceptedBy || sender, accept?.reason ?? '');
    } else if (messageType === HandoffMessageType.Decline) {
      const decline = codec.decode(handoffPayloads.HandoffDecline, payload);
      this.#answer(handoffId, decline?.declinedBy || sender, decline?.reason ?? '');
    }
  }

  #keepContext(handoffId: string, payload: Uint8Array, sender: string): void {
    const decoded = codec.decode(handoffPayloads.HandoffContext, payload);
    if (!decoded) return;
    const late = findOffer(this.state, handoffId)?.disposition !== Disposition.Offered;
    // A copy: the payload is a view on a whole network frame.
    const context = decoded.context.slice();
    const kept = this.contexts.get(handoffId) ?? [];
    kept.push({ handoffId, contentType: decoded.contentType, context, sender, late });
    this.contexts.set(handoffId, kept);
  }

  #answer(handoffId: string, answeredBy: string, answerReason: string): void {
    const words = this.#words.get(handoffId);
    if (words) this.#words.set(handoffId, { ...words, answeredBy, answerReason });
  }
}

function toRecord(offer: Offer, words: Words, contextContentType: string | undefined): HandoffRecord {
  const { answeredBy, answerReason, scope, reason } = words;
  const answeredKey = offer.disposition === Disposition.Accepted ? 'acceptedBy' : 'declinedBy';
  return {
    handoffId: offer.handoffId,
    targetParticipant: offer.target,
    scope,
    reason,
    sender: offer.offeredBy,
    status: statusOf(offer),
    disposition: offer.disposition,
    implicit: offer.implicit,
    ...(answeredBy !== undefined && { [answeredKey]: answeredBy }),
    ...(answerReason !== undefined && { answerReason }),
    ...(contextContentType !== undefined && { contextContentType }),
  };
}

function statusOf({ disposition, contexts }: Offer): HandoffStatus {
  if (disposition !== Disposition.Offered) return disposition;
  return contexts > 0 ? 'context_sent' : 'offered';
}
