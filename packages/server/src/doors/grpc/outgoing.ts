/**
 * The writing side of a stream that the server may end at any time.
 *
 * O1. The bytes that wait to be sent are bounded: a writer asks `ready()` before the next frame and waits while the
 *     peer does not read.
 * O2. A call ends once, and the first end counts. Frames that are written after it are dropped.
 * O3. Frames that were written before the end are sent before the status: that is how grpc-js ends a call.
 * O4. A cancelled call releases every writer that waits.
 */
import type { ServerDuplexStream, ServerWritableStream } from '@grpc/grpc-js';
import type { Status } from './errors.js';

export type OutgoingCall =
  | ServerWritableStream<Uint8Array, Uint8Array>
  | ServerDuplexStream<Uint8Array, Uint8Array>;

/** grpc-js limits how many messages wait, not their bytes. Sixteen large ones per slow reader are too many. */
const MAX_WAITING_BYTES = 256 * 1024;

export class Outgoing {
  readonly #call: OutgoingCall;
  #waitingBytes = 0;
  #waiters: (() => void)[] = [];
  #ended = false;

  constructor(call: OutgoingCall) {
    this.#call = call;
    call.on('cancelled', () => this.#end());
  }

  get ended(): boolean {
    return this.#ended;
  }

  write(frame: Uint8Array): void {
    if (this.#ended) return;
    const bytes = frame.length;
    this.#waitingBytes += bytes;
    this.#call.write(frame, () => {
      this.#waitingBytes -= bytes;
      if (this.#waiters.length > 0 && !this.#full) this.#release();
    });
  }

  /** Undefined when the writer need not wait. */
  ready(): Promise<void> | undefined {
    if (this.#ended || !this.#full) return undefined;
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Ends the call with the status, or with OK if there is none. */
  end(status?: Status): void {
    if (this.#ended) return;
    this.#end();
    if (status) this.#call.emit('error', status);
    else this.#call.end();
  }

  get #full(): boolean {
    return this.#call.writableNeedDrain || this.#waitingBytes > MAX_WAITING_BYTES;
  }

  #end(): void {
    this.#ended = true;
    this.#release();
  }

  #release(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resume of waiters) resume();
  }
}
