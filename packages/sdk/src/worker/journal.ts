/** How often a decision was begun, for attempts that count over restarts. */

/** Names one offer. */
export interface OfferKey {
  /** The session of the offer. */
  readonly sessionId: string;
  /** The offer within it. */
  readonly handoffId: string;
}

/** Keeps the number of attempts of each open offer; `fileJournal` makes one that outlives the process. */
export interface WorkerJournal {
  /** Called when a worker starts; throws when another one has the journal. */
  open(): void;
  /** How often a decision on the offer was begun. */
  attempts(offer: OfferKey): number;
  /** Written before the decision begins. */
  begin(offer: OfferKey, attempt: number): void;
  /** The offer is over: it was answered, or its session has ended. */
  end(offer: OfferKey): void;
  /** Ends all offers whose sessions are not open any more. */
  keepOnly(isOpen: (sessionId: string) => boolean): void;
  /** Called when the worker has stopped. */
  close(): void;
}

export const nameOf = ({ sessionId, handoffId }: OfferKey): string => JSON.stringify([sessionId, handoffId]);

/** Counts in this process only. */
export class MemoryJournal implements WorkerJournal {
  readonly #attempts = new Map<string, { readonly offer: OfferKey; readonly attempt: number }>();

  open(): void {}
  attempts(offer: OfferKey): number {
    return this.#attempts.get(nameOf(offer))?.attempt ?? 0;
  }
  begin(offer: OfferKey, attempt: number): void {
    this.#attempts.set(nameOf(offer), { offer, attempt });
  }
  end(offer: OfferKey): void {
    this.#attempts.delete(nameOf(offer));
  }
  keepOnly(isOpen: (sessionId: string) => boolean): void {
    for (const { offer } of this.entries()) if (!isOpen(offer.sessionId)) this.end(offer);
  }
  close(): void {}

  get size(): number {
    return this.#attempts.size;
  }

  /** What is open, in the order in which it was begun last. */
  entries(): readonly { readonly offer: OfferKey; readonly attempt: number }[] {
    return [...this.#attempts.values()];
  }
}
