/**
 * Room for bytes that wait to be sent. Who wants to send asks for room first, and waits while there is none.
 *
 * G1. Who is let in may pass the limit by what it then takes; nobody is let in beyond the limit.
 * G2. Those who wait are woken together when half of the room is free, in the order in which they came. Each asks again.
 */
export interface Waiter {
  wake(): void;
}

export class ByteGate {
  readonly #limit: number;
  readonly #waiting = new Set<Waiter>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get full(): boolean {
    return this.#bytes > this.#limit;
  }

  /** Somebody waits for room. */
  get crowded(): boolean {
    return this.#waiting.size > 0;
  }

  hold(bytes: number): void {
    this.#bytes += bytes;
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#waiting.size === 0 || this.#bytes > this.#limit / 2) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const waiter of waiting) waiter.wake();
  }

  wait(waiter: Waiter): void {
    this.#waiting.add(waiter);
  }

  leave(waiter: Waiter): void {
    this.#waiting.delete(waiter);
  }
}
