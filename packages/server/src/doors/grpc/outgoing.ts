/**
 * The writing side of a stream that the server may end at any time.
 *
 * O1. The bytes that wait to be sent are bounded: a writer asks `ready()` before the next frame and waits while the
 *     peer does not read. They count for the call's listener.
 * O2. A call ends once, and the first end counts. Frames that are written after it are dropped.
 * O3. Frames that were written before the end are sent before the status: that is how grpc-js ends a call. A peer that
 *     does not read them in time is reset.
 * O4. A cancelled call releases every writer that waits.
 * O5. The listener leaves when the call is gone and the connection has taken, or dropped, what was handed to it.
 */
import type { ServerDuplexStream, ServerWritableStream } from '@grpc/grpc-js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Listener } from '../../services/listening/listener.js';
import type { Status } from './errors.js';
import { Http2Call } from './http2-call.js';

export type OutgoingCall =
  | ServerWritableStream<Uint8Array, Uint8Array>
  | ServerDuplexStream<Uint8Array, Uint8Array>;

/** grpc-js limits how many messages wait, not their bytes. Sixteen large ones per slow reader are too many. */
const MAX_WAITING_BYTES = fixedLimits.grpcWaitingBytesPerCall.value;
const LINGER_MS = fixedLimits.lingeringCallMs.value;
const SILENT_MS: number = fixedLimits.grpcSilentConnectionMs.value;
const IMPATIENT_MS = fixedLimits.quietListenerMs.value;

export class Outgoing {
  readonly #call: OutgoingCall;
  readonly #http2: Http2Call;
  #listener: Listener | undefined;
  #waitingBytes = 0;
  #waiters: (() => void)[] = [];
  #ended = false;
  #gone = false;
  #patience = SILENT_MS;
  #linger: NodeJS.Timeout | undefined;

  constructor(call: OutgoingCall) {
    this.#call = call;
    this.#http2 = new Http2Call(call);
    call.on('cancelled', () => this.#close());
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** From now on what waits here counts for the listener. */
  countFor(listener: Listener): void {
    if (this.#gone) listener.leave();
    else this.#listener = listener;
  }

  write(frame: Uint8Array): void {
    if (this.#ended) return;
    const bytes = frame.length;
    this.#waitingBytes += bytes;
    this.#listener?.hold(bytes);
    this.#call.write(frame, () => {
      // When the call is gone this says nothing: whether the connection still holds the bytes is asked there.
      if (this.#gone) return;
      this.#waitingBytes -= bytes;
      this.#listener?.release(bytes);
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
    this.#linger = setTimeout(() => this.#http2.reset(), LINGER_MS).unref();
    if (status) this.#call.emit('error', status);
    else this.#call.end();
  }

  /** Ends the call and drops what waits for it, because others need the room. */
  reset(): void {
    this.#end();
    this.#patience = IMPATIENT_MS;
    this.#http2.reset();
  }

  get #full(): boolean {
    return this.#call.writableNeedDrain || this.#waitingBytes > MAX_WAITING_BYTES;
  }

  #close(): void {
    this.#end();
    this.#gone = true;
    clearTimeout(this.#linger);
    const listener = this.#listener;
    if (!listener) return;
    if (this.#waitingBytes === 0) listener.leave();
    else void this.#http2.flushed(this.#patience).then(() => listener.leave());
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
