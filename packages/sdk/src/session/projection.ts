/**
 * What a client knows of a session, from the envelopes it was given. Each mode folds its own messages (`fold`); this is what
 * all modes share.
 *
 * P1. The rules are core's: the same folds that the runtime uses for its own state.
 * P2. Applying an envelope twice changes nothing; envelopes are told apart by message id. An empty id tells nothing apart.
 * P3. An envelope with a sequence number takes its place in the history, so that a message that was applied when its Ack
 *     came and one that the stream brought end up in the order in which the runtime accepted them.
 * P4. What is committed stays committed: the first Commitment counts.
 */
import {
  type CommitmentPayload,
  CoreMessageType,
  type Envelope,
  hasOrdinal,
  type JsonObject,
  type ModeEntry,
  type SessionStartPayload,
} from '@handover/core';
import type { SessionStateName } from '@handover/wire';
import { codec } from '../codec.js';
import { CONTEXT_EXTENSION_KEY } from '../constants.js';
import type { AnomalyKind, ProjectionAnomaly } from './anomaly.js';

export const STATE_AFTER: Readonly<Record<string, SessionStateName>> = {
  [CoreMessageType.SessionStart]: 'OPEN',
  [CoreMessageType.SessionSuspend]: 'SUSPENDED',
  [CoreMessageType.SessionResume]: 'OPEN',
  [CoreMessageType.SessionCancel]: 'CANCELLED',
  [CoreMessageType.Commitment]: 'RESOLVED',
};

/** Follows a session on the client's side; there is one class for each mode. */
export abstract class SessionProjection {
  /** The mode that is projected. */
  abstract readonly mode: string;
  /** The current phase, in the mode's own words. */
  abstract get phase(): string;
  /** All accepted envelopes that were applied, each once. */
  readonly transcript: Envelope[] = [];
  /** What was left out, and why: empty for everything that a conforming runtime has accepted. */
  readonly anomalies: ProjectionAnomaly[] = [];
  readonly #seen = new Set<string>();
  /** How many of the transcript have no sequence number: suspend, resume and cancel. */
  #uncounted = 0;
  #commitment: CommitmentPayload | undefined;
  #start: SessionStartPayload | undefined;
  #initiator: string | undefined;
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
  /** Who started the session, once its SessionStart was applied. */
  get initiator(): string | undefined {
    return this.#initiator;
  }
  /** The bytes given as `context` at the start; the outcome is bound to them. */
  get frozenContext(): Uint8Array | undefined {
    return this.#start?.extensions[CONTEXT_EXTENSION_KEY];
  }
  /** The session's state as its envelopes tell it. An expiry is not an envelope and does not show here. */
  get sessionState(): SessionStateName {
    return this.#sessionState;
  }
  /** True once a Commitment ended the session. */
  get isCommitted(): boolean {
    return this.#commitment !== undefined;
  }
  /** True when the Commitment says that it came to something. */
  get isPositiveOutcome(): boolean {
    return this.#commitment?.outcomePositive === true;
  }

  /** Takes an accepted envelope in; with its sequence number, at its place. False when nothing changed. */
  applyEnvelope(envelope: Envelope, place: { readonly sequence?: number } = {}): boolean {
    const counts = hasOrdinal(envelope.messageType);
    const at =
      place.sequence === undefined
        ? this.transcript.length
        : this.#behind(counts ? place.sequence - 1 : place.sequence);
    const known = envelope.messageId !== '' && this.#seen.has(envelope.messageId);
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
    const elsewhere = known
      ? this.transcript.findIndex(({ messageId }) => messageId === envelope.messageId)
      : -1;
    if (elsewhere !== -1) this.transcript.splice(elsewhere, 1);
    this.transcript.splice(at, 0, envelope);
    this.#refold();
    return true;
  }

  /** Forgets what `fold` has kept. */
  protected abstract reset(): void;
  /** Takes one of the mode's own messages in; `seq` is its place in the transcript. */
  protected abstract fold(envelope: Envelope, seq: number): void;

  /** An envelope as core's folds take it. */
  protected entry(envelope: Envelope, seq: number, facts: JsonObject): ModeEntry {
    const { messageType: type, sender: actor, timestampUnixMs: at } = envelope;
    return { type, facts, actor, at, seq };
  }

  protected note(kind: AnomalyKind, envelope: Envelope, subjectId: string, detail: string): void {
    const { mode, messageType, messageId, sender } = envelope;
    this.anomalies.push({ kind, mode, messageType, messageId, sender, subjectId, detail });
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
    this.reset();
    this.anomalies.length = 0;
    this.#commitment = undefined;
    this.#start = undefined;
    this.#initiator = undefined;
    this.#sessionState = 'UNSPECIFIED';
    for (const [index, envelope] of this.transcript.entries()) this.#apply(envelope, index + 1);
  }

  #apply(envelope: Envelope, seq: number): void {
    if (envelope.mode !== this.mode) return;
    const { messageType, payload } = envelope;
    if (messageType === CoreMessageType.Commitment) this.#commitment ??= codec.decode('Commitment', payload);
    else if (messageType === CoreMessageType.SessionStart && !this.#start) {
      this.#start = codec.decode('SessionStart', payload);
      this.#initiator = envelope.sender;
    }
    this.#sessionState = STATE_AFTER[messageType] ?? this.#sessionState;
    this.fold(envelope, seq);
  }
}
