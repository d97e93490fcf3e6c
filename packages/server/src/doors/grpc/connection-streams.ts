/**
 * How many streams and watches a connection has open. HTTP/2 has a limit of its own, but a client that reaches that one
 * waits without a word. This one is lower, and answers.
 */
import { RejectionCode, reject } from '@handover/core';
import { type Status, statusOfRejection } from './errors.js';

interface StreamingCall {
  getPeer(): string;
  on(event: 'cancelled', listener: () => void): unknown;
}

export class ConnectionStreams {
  readonly #max: number;
  readonly #refused: () => void;
  readonly #open = new Map<string, number>();

  constructor(max: number, refused: () => void = () => {}) {
    this.#max = max;
    this.#refused = refused;
  }

  /** Counts a call until it is gone; or says why it is one too many. */
  enter(call: StreamingCall): Status | undefined {
    const peer = call.getPeer();
    const open = this.#open.get(peer) ?? 0;
    if (open >= this.#max) {
      this.#refused();
      return this.#refusal(open);
    }
    this.#open.set(peer, open + 1);
    call.on('cancelled', () => this.#leave(peer));
    return undefined;
  }

  #leave(peer: string): void {
    const left = (this.#open.get(peer) ?? 0) - 1;
    if (left > 0) this.#open.set(peer, left);
    else this.#open.delete(peer);
  }

  #refusal(open: number): Status {
    const advice = 'end one, or use another connection';
    const message = `this connection has ${open} open streams, as many as MACP_MAX_CONCURRENT_STREAMS allows; ${advice}`;
    return statusOfRejection(reject(RejectionCode.RATE_LIMITED, message));
  }
}
