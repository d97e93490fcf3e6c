/** The message ids of a stream's last entries. The store's index knows the older ones. */
const CAPACITY = 4_096;

export class RecentIds {
  readonly #seqById = new Map<string, number>();
  #forgot = false;

  add(messageId: string, seq: number): void {
    this.#seqById.set(messageId, seq);
    if (this.#seqById.size <= CAPACITY) return;
    // A Map iterates in order of insertion: the first key is the oldest.
    for (const oldest of this.#seqById.keys()) {
      this.#seqById.delete(oldest);
      break;
    }
    this.#forgot = true;
  }

  /** True when the id is known to be used, or may belong to an older entry that is no longer remembered. */
  mayContain(messageId: string): boolean {
    return this.#forgot || this.#seqById.has(messageId);
  }
}
