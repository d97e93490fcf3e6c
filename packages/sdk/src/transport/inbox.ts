/**
 * The receiving side of a gRPC stream as something one can wait on.
 *
 * I1. Everything that arrived is taken before an error or the end is reported.
 * I2. At most LIMIT frames wait here; beyond that the stream is paused and flow control holds the sender back.
 * I3. After `discard` nothing is delivered and the call is cancelled.
 */
import { type Called, toTransportError } from './status.js';

export interface Incoming {
  on(event: 'data', listener: (bytes: Uint8Array) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  cancel(): void;
}

const LIMIT = 64;

export class Inbox {
  readonly #stream: Incoming;
  readonly #frames: Uint8Array[] = [];
  #over = false;
  #failure: Error | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(stream: Incoming, called: Called) {
    this.#stream = stream;
    stream.on('data', (bytes) => {
      this.#frames.push(bytes);
      if (this.#frames.length >= LIMIT) stream.pause();
      this.#wake();
    });
    stream.on('end', () => this.#finish(undefined));
    stream.on('error', (error) => this.#finish(toTransportError(error, called)));
  }

  /** The next frame; undefined at the end. Rejects with the stream's error, once everything before it was taken. */
  async next(signal?: AbortSignal): Promise<Uint8Array | undefined> {
    while (true) {
      if (signal?.aborted) return undefined;
      const frame = this.#frames.shift();
      if (frame) {
        if (this.#frames.length === 0) this.#stream.resume();
        return frame;
      }
      if (this.#failure) throw this.#failure;
      if (this.#over) return undefined;
      await this.#change(signal);
    }
  }

  discard(): void {
    this.#over = true;
    this.#frames.length = 0;
    this.#failure = undefined;
    this.#stream.cancel();
    this.#wake();
  }

  #finish(failure: Error | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#failure = failure;
    this.#wake();
  }

  #wake(): void {
    for (const waiting of [...this.#waiting]) waiting();
  }

  #change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const woken = () => {
        signal?.removeEventListener('abort', woken);
        this.#waiting.delete(woken);
        resolve();
      };
      this.#waiting.add(woken);
      signal?.addEventListener('abort', woken, { once: true });
    });
  }
}
