/**
 * What a client knows of a Handoff session, from the envelopes it was given.
 *
 * P1. The rules are core's: the same fold that the runtime uses for its own state (./fold.ts).
 * P2. Applying an envelope twice changes nothing; envelopes are told apart by message id.
 * P3. An envelope with a sequence number takes its place in the history, so that a message that was applied when its Ack
 *     came and one that the stream brought end up in the order in which the runtime accepted them.
 */
import {
  acceptedOffer,
  type CommitmentPayload,
  CoreMessageType,
  Disposition,
  type Envelope,
  HANDOFF_MODE,
  hasOrdinal,
  openOffer,
  type SessionStartPayload,
} from '@handover/core';
import type { SessionStateName } from '@handover/wire';
import { codec } from '../codec.js';
import { CONTEXT_EXTENSION_KEY } from '../constants.js';
import { HandoffFold } from './fold.js';
import {
  type DetailedPhase,
  type HandoffContextRecord,
  type HandoffPhase,
  type HandoffRecord,
  phaseOf,
} from './records.js';

const STATE_AFTER: Readonly<Record<string, SessionStateName>> = {
  [CoreMessageType.SessionStart]: 'OPEN',
  [CoreMessageType.SessionSuspend]: 'SUSPENDED',
  [CoreMessageType.SessionResume]: 'OPEN',
  [CoreMessageType.SessionCancel]: 'CANCELLED',
  [CoreMessageType.Commitment]: 'RESOLVED',
};

/** Follows a Handoff session on the client's side. */
export class HandoffProjection {
  /** The mode that is projected. */
  readonly mode = HANDOFF_MODE;
  /** Handoffs by id, in the order in which they were offered. */
  readonly handoffs: Map<string, HandoffRecord> = new Map();
  /** The same records; `disposition` is the answer alone. */
  readonly offers: Map<string, HandoffRecord> = this.handoffs;
  /** All accepted envelopes that were applied, each once. */
  readonly transcript: Envelope[] = [];
  /** The contexts of each handoff, bytes included, in order; a handoff without any has no entry. */
  readonly contexts: Map<string, HandoffContextRecord[]> = new Map();
  readonly #fold = new HandoffFold(this.contexts);
  readonly #seen = new Set<string>();
  /** How many of the transcript have no sequence number: suspend, resume and cancel. */
  #uncounted = 0;
  #commitment: CommitmentPayload | undefined;
  #start: SessionStartPayload | undefined;
  #sessionState: SessionStateName = 'UNSPECIFIED';

  /** How many envelopes of the transcript are counted; the history goes on behind them. */
  get sequence(): number {
    return this.transcript.length - this.#uncounted;
  }
  /** The Commitment that ended the session. */
  get commitment(): CommitmentPayload | undefined {
    return this.#commitment;
  }
  /** What the session was started with, once its SessionStart was applied. */
  get sessionStart(): SessionStartPayload | undefined {
    return this.#start;
  }
  /** The bytes given as `context` at the start; the outcome is bound to them. */
  get frozenContext(): Uint8Array | undefined {
    return this.#start?.extensions[CONTEXT_EXTENSION_KEY];
  }
  /** The session's state as its envelopes tell it. An expiry is not an envelope and does not show here. */
  get sessionState(): SessionStateName {
    return this.#sessionState;
  }
  /** The current phase, in four words. */
  get phase(): HandoffPhase {
    return phaseOf(this.detailedPhase);
  }
  /** The current phase, with the answer told apart; the newest offer decides. */
  get detailedPhase(): DetailedPhase {
    if (this.#commitment) return 'Committed';
    const newest = this.#fold.state.offers.at(-1);
    if (!newest) return 'Pending';
    if (newest.disposition === Disposition.Accepted) return 'Accepted';
    if (newest.disposition === Disposition.Declined) return 'Declined';
    return newest.contexts > 0 ? 'ContextSharing' : 'OfferPending';
  }
  /** True once a Commitment ended the session. */
  get isCommitted(): boolean {
    return this.#commitment !== undefined;
  }
  /** True when the Commitment says that the handoff took place. */
  get isPositiveOutcome(): boolean {
    return this.#commitment?.outcomePositive === true;
  }

  /** The full record of a handoff. */
  getHandoff(handoffId: string): HandoffRecord | undefined {
    return this.handoffs.get(handoffId);
  }
  /** True after the target accepted. */
  isAccepted(handoffId: string): boolean {
    return this.handoffs.get(handoffId)?.disposition === Disposition.Accepted;
  }
  /** True after the target declined. */
  isDeclined(handoffId: string): boolean {
    return this.handoffs.get(handoffId)?.disposition === Disposition.Declined;
  }
  /** True when a policy's time-out accepted in the target's name. */
  isImplicitlyAccepted(handoffId: string): boolean {
    return this.isAccepted(handoffId) && this.handoffs.get(handoffId)?.implicit === true;
  }
  /** Handoffs that await an answer. */
  pendingHandoffs(): HandoffRecord[] {
    return [...this.handoffs.values()].filter(({ disposition }) => disposition === Disposition.Offered);
  }
  /** Whether an offer, or the named one, was accepted. */
  hasAcceptedOffer(handoffId?: string): boolean {
    return handoffId === undefined ? this.acceptedOffer() !== undefined : this.isAccepted(handoffId);
  }
  /** The newest offer that awaits an answer. */
  activeOffer(): HandoffRecord | undefined {
    const open = openOffer(this.#fold.state);
    return open && this.handoffs.get(open.handoffId);
  }
  /** The offer that was accepted, if any: its target is the new holder. */
  acceptedOffer(): HandoffRecord | undefined {
    const accepted = acceptedOffer(this.#fold.state);
    return accepted && this.handoffs.get(accepted.handoffId);
  }

  /** Takes an accepted envelope in; with its sequence number, at its place. False when nothing changed. */
  applyEnvelope(envelope: Envelope, place: { readonly sequence?: number } = {}): boolean {
    const counts = hasOrdinal(envelope.messageType);
    const at =
      place.sequence === undefined
        ? this.transcript.length
        : this.#behind(counts ? place.sequence - 1 : place.sequence);
    const known = this.#seen.has(envelope.messageId);
    if (known && !counts) return false;
    if (known && (at >= this.transcript.length || this.transcript[at]?.messageId === envelope.messageId))
      return false;
    this.#seen.add(envelope.messageId);
    if (!counts) this.#uncounted++;
    if (at >= this.transcript.length) {
      this.transcript.push(envelope);
      this.#apply(envelope, this.transcript.length);
      return true;
    }
    const elsewhere = this.transcript.findIndex(({ messageId }) => messageId === envelope.messageId);
    if (elsewhere !== -1) this.transcript.splice(elsewhere, 1);
    this.transcript.splice(at, 0, envelope);
    this.#refold();
    return true;
  }

  /** Where the transcript goes on behind so many counted envelopes and the controls that follow them. */
  #behind(count: number): number {
    const { length } = this.transcript;
    if (count >= this.sequence) return length;
    let left = count;
    const index = this.transcript.findIndex(({ messageType }) => hasOrdinal(messageType) && left-- === 0);
    return index === -1 ? length : index;
  }

  #refold(): void {
    this.#fold.reset();
    this.handoffs.clear();
    this.#commitment = undefined;
    this.#start = undefined;
    this.#sessionState = 'UNSPECIFIED';
    for (const [index, envelope] of this.transcript.entries()) this.#apply(envelope, index + 1);
  }

  #apply(envelope: Envelope, seq: number): void {
    if (envelope.mode !== HANDOFF_MODE) return;
    const { messageType, payload } = envelope;
    if (messageType === CoreMessageType.Commitment) this.#commitment ??= codec.decode('Commitment', payload);
    else if (messageType === CoreMessageType.SessionStart)
      this.#start ??= codec.decode('SessionStart', payload);
    this.#sessionState = STATE_AFTER[messageType] ?? this.#sessionState;
    const changed = this.#fold.apply(envelope, seq);
    const record = changed !== undefined && this.#fold.record(changed);
    if (record) this.handoffs.set(record.handoffId, record);
  }
}
