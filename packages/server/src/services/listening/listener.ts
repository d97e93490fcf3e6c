/** One call that listens: its place among the listeners, and the bytes that wait to be sent to it. */
import type { HandoverError } from '@handover/core';
import type { ByteGate, Waiter } from './byte-gate.js';

/** Ends the call with the fault. `abrupt`: at once, without waiting for the client to take what was sent to it. */
export type CutOff = (fault: HandoverError, abrupt: boolean) => void;

export interface Listener {
  /** Bytes that were taken up in order to be sent, and that the client does not have yet. */
  readonly bytes: number;
  /** Takes up bytes as soon as there is room. Only before that does a listener wait for others. */
  acquire(bytes: number): Promise<void>;
  /** Takes up bytes that are there already. */
  hold(bytes: number): void;
  /** They were passed on, or the client has them. */
  release(bytes: number): void;
  /** Ends the call, because it does not keep up. */
  cut(fault: HandoverError): void;
  /** Tells operators that the call ended for that reason, where somebody else ends it. */
  behind(): void;
  /** Gives its place back; what it held counts no longer. */
  leave(): void;
}

interface Events {
  readonly cutOff: CutOff;
  /** It did not keep up. */
  behind(): void;
  /** It has to wait for room. */
  waits(): void;
  left(): void;
}

export class HeldListener implements Listener, Waiter {
  readonly #gates: readonly ByteGate[];
  readonly #events: Events;
  #resume: (() => void)[] = [];
  #bytes = 0;
  #quiet = 0;
  #left = false;

  constructor(gates: readonly ByteGate[], events: Events) {
    this.#gates = gates;
    this.#events = events;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Somebody waits for room of which this listener has a part. */
  get crowded(): boolean {
    return this.#gates.some((gate) => gate.crowded);
  }

  async acquire(bytes: number): Promise<void> {
    for (let full = this.#fullGate(); full; full = this.#fullGate()) {
      full.wait(this, bytes);
      this.#events.waits();
      await new Promise<void>((resolve) => this.#resume.push(resolve));
    }
    // In the turn in which there was room: nobody else can have taken it.
    this.hold(bytes);
  }

  wake(): void {
    for (const resume of this.#resume.splice(0)) resume();
  }

  hold(bytes: number): void {
    if (this.#left) return;
    this.#bytes += bytes;
    for (const gate of this.#gates) gate.hold(bytes);
  }

  release(bytes: number): void {
    if (this.#left) return;
    this.#quiet = 0;
    this.#bytes -= bytes;
    for (const gate of this.#gates) gate.release(bytes);
  }

  /** Counts how often in a row this was asked while bytes waited and none was taken. */
  quietSweeps(): number {
    this.#quiet = this.#bytes > 0 ? this.#quiet + 1 : 0;
    return this.#quiet;
  }

  cut(fault: HandoverError, abrupt = false): void {
    if (this.#left) return;
    this.behind();
    this.#events.cutOff(fault, abrupt);
  }

  /** Ends the call for a reason that is no fault of its client's pace. */
  end(fault: HandoverError): void {
    if (!this.#left) this.#events.cutOff(fault, false);
  }

  behind(): void {
    this.#events.behind();
  }

  leave(): void {
    if (this.#left) return;
    this.release(this.#bytes);
    this.#left = true;
    for (const gate of this.#gates) gate.leave(this);
    this.wake();
    this.#events.left();
  }

  #fullGate(): ByteGate | undefined {
    return this.#left ? undefined : this.#gates.find((gate) => gate.full);
  }
}
