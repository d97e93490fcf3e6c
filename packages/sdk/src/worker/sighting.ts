/**
 * What a worker keeps of an open session that it looks at: ids and counts. Whoever names an agent among the participants
 * could fill its memory otherwise.
 */
import {
  Disposition,
  evolveHandoff,
  type HandoffState,
  handoffFacts,
  hasOrdinal,
  NO_OFFERS,
  type Offer,
  openOffer,
} from '@handover/core';
import type { SessionStateName } from '@handover/wire';
import { codec } from '../codec.js';
import { STATE_AFTER } from '../session/projection.js';
import type { SequencedEnvelope } from '../stream/subscribe.js';

export class Sighting {
  /** Where the next look goes on. */
  sequence = 0;
  #state: SessionStateName = 'UNSPECIFIED';
  #handoffs: HandoffState = NO_OFFERS;

  take({ sequence, envelope }: SequencedEnvelope): void {
    const { messageType: type, payload, sender: actor, timestampUnixMs: at } = envelope;
    // What two streams bring counts once.
    if (hasOrdinal(type) && sequence <= this.sequence) return;
    this.sequence = sequence;
    this.#state = STATE_AFTER[type] ?? this.#state;
    const facts = handoffFacts(type, payload, codec);
    if (facts)
      this.#handoffs = evolveHandoff(
        this.#handoffs,
        { type, facts, actor, at, seq: sequence },
        { suspendedTotalMs: 0 },
      );
  }

  get isSuspended(): boolean {
    return this.#state === 'SUSPENDED';
  }

  /** The offer that the agent may answer now. The protocol has one open offer at a time. */
  waitingFor(agent: string): Offer | undefined {
    const offer = this.#hasEnded ? undefined : openOffer(this.#handoffs);
    return offer?.target === agent ? offer : undefined;
  }

  /**
   * Whether no offer to the agent can come any more: the session has ended, somebody has accepted, or the agent has
   * declined (macp-2026:10.4: none of them is asked again).
   */
  isSettledFor(agent: string): boolean {
    if (this.#hasEnded) return true;
    return this.#handoffs.offers.some(
      ({ disposition, target }) =>
        disposition === Disposition.Accepted || (disposition === Disposition.Declined && target === agent),
    );
  }

  get #hasEnded(): boolean {
    return this.#state === 'RESOLVED' || this.#state === 'CANCELLED';
  }
}
