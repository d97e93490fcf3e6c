/**
 * Room for bytes that wait to be sent. Who wants to send asks for room first, and waits while there is none.
 *
 * G1. Who is let in may pass the limit by what it then takes; nobody is let in beyond the limit.
 * G2. When there is room, those who wait are woken in the order in which they came, and no more than there is room for: each
 *     asks again, because it may have to wait at another gate, too.
 * G3. Who was woken either takes room and gives it back, or leaves: both wake the next.
 */
export interface Waiter {
  wake(): void;
}

export class ByteGate {
  readonly #limit: number;
  /** How many bytes each wants. */
  readonly #waiting = new Map<Waiter, number>();
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
    this.#wakeNext();
  }

  wait(waiter: Waiter, bytes: number): void {
    this.#waiting.set(waiter, bytes);
  }

  leave(waiter: Waiter): void {
    this.#waiting.delete(waiter);
    this.#wakeNext();
  }

  #wakeNext(): void {
    let room = this.#limit - this.#bytes;
    for (const [waiter, bytes] of this.#waiting) {
      if (room < 0) return;
      room -= bytes;
      this.#waiting.delete(waiter);
      waiter.wake();
    }
  }
}
