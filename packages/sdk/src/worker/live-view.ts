import { Disposition } from '@handover/core';
import type { HandoffSession } from '../handoff/session.js';
import { log } from '../logging.js';
import { Bell } from '../transport/bell.js';
import type { Tracked } from './tracked.js';

/** Follows a session while an offer in it has its turn, and says when the offer is over. */
export class LiveView {
  readonly #session: HandoffSession;
  readonly #turn: Tracked;
  readonly #bell = new Bell();
  readonly #closed = new AbortController();
  /** True while our own answer is under way: when it comes back, the offer is not over otherwise. */
  answering = false;

  constructor(session: HandoffSession, turn: Tracked) {
    this.#session = session;
    this.#turn = turn;
    void this.#read();
  }

  /** Resolves when something new came, when the signal fires, or after so long. */
  change(signal: AbortSignal, ms: number): Promise<void> {
    return this.#bell.wait(signal, ms);
  }

  isAnswered(): boolean {
    const handoff = this.#session.projection.getHandoff(this.#turn.handoffId);
    return handoff !== undefined && handoff.disposition !== Disposition.Offered;
  }

  close(): void {
    this.#closed.abort();
  }

  async #read(): Promise<void> {
    const { projection } = this.#session;
    try {
      const from = { signal: this.#closed.signal, afterSequence: projection.sequence };
      for await (const _ of this.#session.follow(from)) {
        const ended = projection.isCommitted || projection.sessionState === 'CANCELLED';
        if ((this.isAnswered() || ended) && !this.answering) this.#turn.over.abort();
        this.#bell.ring();
      }
    } catch (error) {
      // The look before the answer tells what has become of it.
      log.debug(`worker: session ${this.#session.sessionId} cannot be followed: ${String(error)}`);
    }
  }
}
