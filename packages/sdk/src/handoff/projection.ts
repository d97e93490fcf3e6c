import {
  acceptedOffer,
  Disposition,
  type Envelope,
  HANDOFF_MODE,
  HandoffMessageType,
  openOffer,
} from '@handover/core';
import { SessionProjection } from '../session/projection.js';
import { HandoffFold } from './fold.js';
import {
  type DetailedPhase,
  type HandoffContextRecord,
  type HandoffPhase,
  type HandoffRecord,
  phaseOf,
} from './records.js';

const ANSWERS: readonly string[] = [HandoffMessageType.Accept, HandoffMessageType.Decline];

/** Follows a Handoff session on the client's side. */
export class HandoffProjection extends SessionProjection {
  override readonly mode = HANDOFF_MODE;
  /** Handoffs by id, in the order in which they were offered. */
  readonly handoffs: Map<string, HandoffRecord> = new Map();
  /** The same records; `disposition` is the answer alone. */
  readonly offers: Map<string, HandoffRecord> = this.handoffs;
  /** The contexts of each handoff, bytes included, in order; a handoff without any has no entry. */
  readonly contexts: Map<string, HandoffContextRecord[]> = new Map();
  readonly #fold = new HandoffFold(this.contexts);

  /** The current phase, in four words. */
  override get phase(): HandoffPhase {
    return phaseOf(this.detailedPhase);
  }
  /** The current phase, with the answer told apart; the newest offer decides. */
  get detailedPhase(): DetailedPhase {
    if (this.isCommitted) return 'Committed';
    const newest = this.#fold.state.offers.at(-1);
    if (!newest) return 'Pending';
    if (newest.disposition === Disposition.Accepted) return 'Accepted';
    if (newest.disposition === Disposition.Declined) return 'Declined';
    return newest.contexts > 0 ? 'ContextSharing' : 'OfferPending';
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
  /** Who declined an offer of this session, in order; none of them can be asked again. */
  declinedTargets(): string[] {
    const declined = [...this.handoffs.values()].filter(
      ({ disposition }) => disposition === Disposition.Declined,
    );
    return [...new Set(declined.map(({ targetParticipant }) => targetParticipant))];
  }
  /** Whether an offer to this participant can be accepted by the runtime now. */
  canOfferTo(participant: string): boolean {
    const listed = this.sessionStart?.participants.includes(participant) ?? false;
    if (!listed || participant === this.initiator || this.sessionState !== 'OPEN') return false;
    if (this.activeOffer() || this.acceptedOffer()) return false;
    return !this.declinedTargets().includes(participant);
  }

  protected override reset(): void {
    this.#fold.reset();
    this.handoffs.clear();
  }

  protected override fold(envelope: Envelope, seq: number): void {
    const { id, changed } = this.#fold.apply(envelope, seq) ?? {};
    if (id === undefined) return;
    const record = this.#fold.record(id);
    if (changed && record) this.handoffs.set(id, record);
    else if (record && ANSWERS.includes(envelope.messageType))
      this.note(
        'settled_handoff',
        envelope,
        id,
        `${id} was ${record.disposition} before; this answer is left out`,
      );
  }
}
