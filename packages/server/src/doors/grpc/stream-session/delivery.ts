/**
 * Writes the entries of one subscription to one call.
 *
 * D1. Entries are pulled only when the call takes more. The entries that a slow reader has not read stay in the engine,
 *     which cuts the reader off in time.
 * D2. `written` is the ordinal up to which everything was handed to the call, in order. After the call has ended, the
 *     client has exactly these envelopes.
 * D3. After `close` nothing more is written, even if a pull is under way.
 * D4. Suspend, resume and cancel have no ordinal and are delivered to those who ask for them, and to nobody else.
 * D5. What was pulled and not written yet counts for the listener. A pull that has to read takes its room before.
 */
import { type Entry, hasOrdinal } from '@handover/core';
import type { Subscription } from '@handover/engine';
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { Listener } from '../../../services/listening/listener.js';
import type { Followed } from '../../../services/macp/sessions.js';
import type { Outgoing } from '../outgoing.js';
import { entryFrame } from './entry-frame.js';

const READ_BYTES = fixedLimits.listenerReadBytes.value;

export class Delivery {
  readonly #subscription: Subscription;
  readonly #out: Outgoing;
  readonly #listener: Listener;
  readonly #withControls: boolean;
  #written: number;
  /** The sequence of the last entry that was looked at. */
  #seq: number;
  #closed = false;
  #goal: { readonly seq: number; readonly reached: () => void } | undefined;

  constructor(
    { subscription, ordinal }: Followed,
    out: Outgoing,
    { listener, withControls }: { readonly listener: Listener; readonly withControls: boolean },
  ) {
    this.#subscription = subscription;
    this.#out = out;
    this.#listener = listener;
    this.#withControls = withControls;
    this.#written = ordinal;
    this.#seq = subscription.cursor;
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
      const entries = await this.#pull();
      if (!entries) return !this.#closed;
      for (const entry of entries) {
        const wait = this.#out.ready();
        if (wait) await wait;
        this.#write(entry);
      }
      if (this.#out.ended) return false;
      if (this.#goal && this.#seq >= this.#goal.seq) this.#goal.reached();
      const wait = this.#out.ready();
      if (wait) await wait;
    }
    return false;
  }

  /** Resolves when everything up to `seq` was written, or when nothing more will be written. */
  reached(seq: number): Promise<void> {
    if (this.#closed || this.#seq >= seq) return Promise.resolve();
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

  async #pull(): Promise<readonly Entry[] | undefined> {
    const reads = this.#subscription.behind;
    if (reads) await this.#listener.acquire(READ_BYTES);
    try {
      const entries = await this.#subscription.next();
      const bytes = entries?.reduce((sum, { payload }) => sum + payload.length, 0) ?? 0;
      // Entries that come while nothing is read are in memory already; what is made of them is not.
      if (reads) this.#listener.hold(bytes);
      else await this.#listener.acquire(bytes);
      return entries;
    } finally {
      if (reads) this.#listener.release(READ_BYTES);
    }
  }

  #write(entry: Entry): void {
    this.#listener.release(entry.payload.length);
    if (this.#closed || this.#out.ended) return;
    const counts = hasOrdinal(entry.type);
    const frame = counts || this.#withControls ? entryFrame(entry) : undefined;
    if (frame) this.#out.write(frame);
    if (counts) this.#written++;
    this.#seq = entry.seq;
  }
}
