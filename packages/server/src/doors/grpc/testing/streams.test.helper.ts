/** The client's side of server streams and of StreamSession: frames as they come, and the status at the end. */
import type {
  ClientDuplexStream,
  ClientReadableStream,
  Metadata,
  ServiceError,
  StatusObject,
} from '@grpc/grpc-js';
import type { Envelope } from '@handover/core';
import { decodeStreamFrame, encodeStreamRequest, type StreamFrame } from '@handover/wire';

export class TestWatch<T> {
  readonly frames: T[] = [];
  readonly status: Promise<StatusObject>;
  readonly opened: Promise<Metadata>;
  readonly #call: ClientReadableStream<Buffer>;
  #taken = 0;
  #wake = () => {};

  constructor(call: ClientReadableStream<Buffer>, decode: (bytes: Buffer) => T) {
    this.#call = call;
    call.on('data', (bytes: Buffer) => {
      this.frames.push(decode(bytes));
      this.#wake();
    });
    this.status = new Promise((resolve) => {
      call.on('status', (status: StatusObject) => {
        resolve(status);
        this.#wake();
      });
    });
    this.opened = new Promise((resolve) => call.on('metadata', resolve));
    // The status says the same; without a listener it would be thrown.
    call.on('error', (_: ServiceError) => {});
  }

  /** The next frame that was not taken yet. */
  async next(): Promise<T> {
    let ended = false;
    void this.status.then(() => {
      ended = true;
    });
    while (this.frames.length <= this.#taken) {
      if (ended) throw new Error('the stream ended');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.resolve();
    }
    return this.frames[this.#taken++] as T;
  }

  async take(count: number): Promise<T[]> {
    const taken: T[] = [];
    while (taken.length < count) taken.push(await this.next());
    return taken;
  }

  pause(): void {
    this.#call.pause();
  }

  resume(): void {
    this.#call.resume();
  }

  cancel(): void {
    this.#call.cancel();
  }
}

export class TestStream extends TestWatch<StreamFrame> {
  readonly #duplex: ClientDuplexStream<Uint8Array, Buffer>;

  constructor(duplex: ClientDuplexStream<Uint8Array, Buffer>) {
    super(duplex, (bytes) => decodeStreamFrame(bytes) ?? { kind: 'empty' });
    this.#duplex = duplex;
  }

  raw(bytes: Uint8Array): this {
    this.#duplex.write(bytes);
    return this;
  }

  send(envelope: Envelope): this {
    return this.raw(encodeStreamRequest({ envelope, subscribeSessionId: '', afterSequence: 0 }));
  }

  subscribe(sessionId: string, after = 0): this {
    return this.raw(encodeStreamRequest({ subscribeSessionId: sessionId, afterSequence: after }));
  }

  /** Message ids of the next envelopes. */
  async ids(count: number): Promise<string[]> {
    return (await this.take(count)).map(idOf);
  }

  halfClose(): this {
    this.#duplex.end();
    return this;
  }
}

export function idOf(frame: StreamFrame): string {
  if (frame.kind === 'envelope') return frame.envelope.messageId;
  return frame.kind === 'error' ? `error ${frame.error.code}` : 'empty';
}
