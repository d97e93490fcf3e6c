/** The receipt of a session, folded from its entries one by one; no payload is kept after it was read. */

import { sessionDecider } from '../bound-session/session-decider.js';
import { holderOf } from '../bound-session/settlement.js';
import type { Codec } from '../envelope/codec.js';
import { CoreMessageType } from '../envelope/envelope.js';
import { headOf } from '../log/chain.js';
import { type ChainHead, type Entry, GENESIS } from '../log/entry.js';
import { canonicalJson } from '../log/json.js';
import { OPERATOR } from '../log/runtime-draft.js';
import { HandoffMessageType } from '../modes/handoff/messages.js';
import { offersOf } from '../modes/handoff/offers-of.js';
import { handoffPayloads } from '../modes/handoff/payloads.js';
import { acceptedOffer, Disposition, findOffer, type Offer } from '../modes/handoff/state.js';
import { commitWord, type SessionBinding } from '../session/binding.js';
import { isTerminal, type SessionState, SessionStatus } from '../session/state.js';
import { commitmentHash } from './commitment-hash.js';
import { RECEIPT_FORMAT, type ReceiptBody } from './receipt.js';

export type ReceiptResult = { readonly body: ReceiptBody } | { readonly none: string };

/** What an offer's state does not keep. */
interface OfferTexts {
  readonly scope: string;
  readonly frozen: string[];
}

export class ReceiptFold {
  readonly #codec: Codec;
  readonly #offers = new Map<string, OfferTexts>();
  #tenant = '';
  #start = '';
  #session: SessionState | undefined;
  #head: ChainHead = GENESIS;
  #commitment: ReceiptBody['commitment'];

  constructor(codec: Codec) {
    this.#codec = codec;
  }

  /** Takes the entries of one sound stream, in order. */
  add(entry: Entry): void {
    this.#note(entry);
    this.#session = sessionDecider.evolve(this.#session, entry);
    this.#tenant = entry.stream.tenant;
    this.#head = headOf(entry);
  }

  #note(entry: Entry): void {
    const handoffId = String(entry.facts.handoff_id);
    switch (entry.type) {
      case CoreMessageType.SessionStart:
        this.#start = entry.payloadHash;
        break;
      case CoreMessageType.Commitment:
        this.#commitment = this.#commitmentOf(entry);
        break;
      case HandoffMessageType.Offer:
        this.#offers.set(handoffId, {
          scope: this.#codec.decode(handoffPayloads.HandoffOffer, entry.payload)?.scope ?? '',
          frozen: [this.#start, entry.payloadHash],
        });
        break;
      case HandoffMessageType.Context:
        // The state does not hold this context yet. If its offer was answered before, the context is late.
        if (findOffer(offersOf(this.#session), handoffId)?.disposition === Disposition.Offered)
          this.#offers.get(handoffId)?.frozen.push(entry.payloadHash);
        break;
    }
  }

  #commitmentOf({ payload, actor: by, at }: Entry): ReceiptBody['commitment'] {
    const said = this.#codec.decode('Commitment', payload);
    const hash = commitmentHash(payload, this.#codec);
    const { commitmentId: commitment_id = '', action = '' } = said ?? {};
    return { commitment_id, action, by, at, ...(hash !== undefined && { hash }) };
  }

  /** Without an id: the accepted offer, else the last. */
  result(handoffId?: string): ReceiptResult {
    const session = this.#session;
    if (!session) return { none: 'there is no such session' };
    if (!isTerminal(session.status))
      return { none: `the session is ${session.status.toLowerCase()}; a receipt is given when it has ended` };
    const state = offersOf(session);
    const offer =
      handoffId === undefined ? (acceptedOffer(state) ?? state.offers.at(-1)) : findOffer(state, handoffId);
    if (handoffId !== undefined && !offer) return { none: 'the handoff id names no offer of this session' };
    return { body: this.#body(session, offer) };
  }

  #body(session: SessionState, offer: Offer | undefined): ReceiptBody {
    const texts = offer && this.#offers.get(offer.handoffId);
    const frozen = canonicalJson(texts?.frozen ?? [this.#start]);
    const { outcomePositive } = session;
    return {
      format: RECEIPT_FORMAT,
      tenant: this.#tenant,
      session_id: session.id,
      mode: session.mode.descriptor.mode,
      outcome: outcomeOf(session.status),
      ...(outcomePositive !== undefined && { outcome_positive: outcomePositive }),
      ...(offer && { offer: offerPart(offer, texts?.scope ?? '') }),
      frozen: {
        digest: `sha256:${this.#codec.sha256(this.#codec.utf8(frozen))}`,
        contexts: offer?.contexts ?? 0,
        late_contexts: offer?.lateContexts ?? 0,
      },
      ...answerPart(offer),
      ...(this.#commitment && { commitment: this.#commitment }),
      holder: holderOf(session),
      ...bindingPart(session.binding),
      chain: { seq: this.#head.seq, hash: this.#head.hash },
    };
  }
}

function bindingPart(
  binding: SessionBinding | undefined,
): Pick<ReceiptBody, 'commit' | 'chosen' | 'authority' | 'from'> {
  if (!binding) return {};
  const { chosen, takeOver } = binding;
  return {
    commit: commitWord(binding),
    ...(chosen && { chosen }),
    ...(takeOver && { authority: OPERATOR, from: takeOver.from }),
  };
}

function outcomeOf(status: SessionStatus): ReceiptBody['outcome'] {
  if (status === SessionStatus.Expired || status === SessionStatus.Cancelled) return status;
  return SessionStatus.Resolved;
}

function offerPart(
  { handoffId, offeredBy, target, offeredAt }: Offer,
  scope: string,
): NonNullable<ReceiptBody['offer']> {
  const said = { handoff_id: handoffId, offered_by: offeredBy, target, offered_at: offeredAt };
  return scope === '' ? said : { ...said, scope };
}

/** Only the target may answer, so every answer stands in its name. */
function answerPart(offer: Offer | undefined): Pick<ReceiptBody, 'answer'> {
  if (!offer || offer.disposition === Disposition.Offered || offer.answeredAt === undefined) return {};
  const { target: by, disposition, answeredAt: at, implicit } = offer;
  return { answer: { by, disposition, at, implicit } };
}

export function makeReceipt(entries: Iterable<Entry>, codec: Codec, handoffId?: string): ReceiptResult {
  const fold = new ReceiptFold(codec);
  for (const entry of entries) fold.add(entry);
  return fold.result(handoffId);
}
