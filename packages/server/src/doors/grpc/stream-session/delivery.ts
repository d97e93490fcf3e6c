/**
 * Writes the entries of one subscription to one call.
 *
 * D1. Entries are pulled only when the call takes more. The entries that a slow reader has not read stay in the engine,
 *     which cuts the reader off in time.
 * D2. `written` is the ordinal up to which everything was handed to the call, in order. After the call has ended, the
 *     client has exactly these entries.
 * D3. After `close` nothing more is written, even if a pull is under way.
 */
import type { Subscription } from '@handover/engine';
import type { Outgoing } from '../outgoing.js';
import { entryFrame } from './entry-frame.js';

export class Delivery {
  readonly #subscription: Subscription;
  readonly #out: Outgoing;
  #written: number;
  #closed = false;
  #goal: { readonly seq: number; readonly reached: () => void } | undefined;

  constructor(subscription: Subscription, out: Outgoing) {
    this.#subscription = subscription;
    this.#out = out;
    this.#written = subscription.cursor;
  }

  get written(): number {
    return this.#written;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Runs until it is closed, or until the subscription ends (true). Rejects with the subscription's fault. */
  async run(): Promise<boolean> {
    while (!this.#closed) {
      const entries = await this.#subscription.next();
      if (!entries) return !this.#closed;
      for (const entry of entries) {
        const wait = this.#out.ready();
        if (wait) await wait;
        if (this.#closed || this.#out.ended) return false;
        const frame = entryFrame(entry);
        if (frame) this.#out.write(frame);
        this.#written = entry.seq;
      }
      if (this.#goal && this.#written >= this.#goal.seq) this.#goal.reached();
    }
    return false;
  }

  /** Resolves when everything up to `seq` was written, or when nothing more will be written. */
  reached(seq: number): Promise<void> {
    if (this.#closed || this.#written >= seq) return Promise.resolve();
    return new Promise((reached) => {
      this.#goal = { seq, reached };
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#subscription.close();
    this.#goal?.reached();
  }
}
