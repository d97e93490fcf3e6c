/** What waits for one listener, in order. */
import type { HandoverError } from '@handover/core';
import type { Listener } from './listener.js';

/** An item on its way to some mailboxes. */
export interface Parcel<T> {
  readonly item: T;
  readonly bytes: number;
  /** How many mailboxes hold it. */
  holders: number;
}

interface Events {
  /** The mailbox no longer holds a parcel. */
  dropped(parcel: Parcel<unknown>): void;
  closed(): void;
}

export class Mailbox<T> {
  readonly #listener: Listener;
  readonly #events: Events;
  readonly #parcels: Parcel<T>[] = [];
  #bytes = 0;
  #wake: (() => void) | undefined;
  #closed = false;
  #fault: HandoverError | undefined;

  constructor(listener: Listener, events: Events) {
    this.#listener = listener;
    this.#events = events;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes that wait for the listener, here and on its connection. */
  get waiting(): number {
    return this.#bytes + this.#listener.bytes;
  }

  put(parcel: Parcel<T>): void {
    if (this.#closed) return;
    parcel.holders++;
    this.#parcels.push(parcel);
    this.#bytes += parcel.bytes;
    this.#wake?.();
  }

  /** Until the mailbox is closed. Throws the fault with which it was. */
  async *items(): AsyncGenerator<T> {
    for (;;) {
      const [next] = this.#parcels;
      if (next) yield* this.#delivered(next.bytes);
      else if (this.#fault) throw this.#fault;
      else if (this.#closed) return;
      else await this.#news();
    }
  }

  /** Empties it and ends the listener's call. */
  cut(fault: HandoverError): void {
    if (this.#closed) return;
    this.close(fault);
    this.#listener.cut(fault);
  }

  close(fault?: HandoverError): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#fault = fault;
    for (let parcel = this.#take(); parcel; parcel = this.#take());
    this.#events.closed();
    this.#wake?.();
  }

  /** The first parcel stays here, and counts here, until there is room to send it. */
  async *#delivered(bytes: number): AsyncGenerator<T> {
    await this.#listener.acquire(bytes);
    try {
      const parcel = this.#take();
      if (parcel) yield parcel.item;
    } finally {
      this.#listener.release(bytes);
    }
  }

  #take(): Parcel<T> | undefined {
    const parcel = this.#parcels.shift();
    if (!parcel) return undefined;
    this.#bytes -= parcel.bytes;
    this.#events.dropped(parcel);
    return parcel;
  }

  async #news(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}
