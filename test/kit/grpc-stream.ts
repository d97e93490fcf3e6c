/** A client's side of StreamSession: what came, in order, and how it ended. */
import { type ClientDuplexStream, type ServiceError, type StatusObject, status } from '@grpc/grpc-js';
import type { Envelope } from '@handover/core';
import { decodeStreamFrame, encodeStreamRequest, type StreamFrame } from '@handover/wire';
import { until } from './until.js';

export class LiveStream {
  readonly frames: StreamFrame[] = [];
  readonly bytes: Buffer[] = [];
  readonly call: ClientDuplexStream<Uint8Array, Buffer>;
  ended: StatusObject | undefined;

  constructor(call: ClientDuplexStream<Uint8Array, Buffer>) {
    this.call = call;
    call.on('data', (bytes: Buffer) => {
      this.bytes.push(bytes);
      this.frames.push(decodeStreamFrame(bytes) ?? { kind: 'empty' });
    });
    call.on('status', (ended: StatusObject) => {
      this.ended = ended;
    });
    // The status says the same; without a listener it would be thrown.
    call.on('error', (_: ServiceError) => {});
  }

  subscribe(sessionId: string, afterSequence = 0): this {
    this.call.write(encodeStreamRequest({ subscribeSessionId: sessionId, afterSequence }));
    return this;
  }

  send(envelope: Envelope): this {
    this.call.write(encodeStreamRequest({ envelope, subscribeSessionId: '', afterSequence: 0 }));
    return this;
  }

  get envelopes(): readonly Envelope[] {
    return this.frames.flatMap((frame) => (frame.kind === 'envelope' ? [frame.envelope] : []));
  }

  get errors(): readonly string[] {
    return this.frames.flatMap((frame) => (frame.kind === 'error' ? [frame.error.code] : []));
  }

  /** Waits until so many frames have come. */
  async atLeast(count: number): Promise<readonly StreamFrame[]> {
    await until(() => this.frames.length >= count || this.ended !== undefined);
    if (this.frames.length < count)
      throw new Error(`${this.frames.length} frames, then ${await this.status()}`);
    return this.frames;
  }

  /** The name of the status with which the stream ended. */
  async status(): Promise<string> {
    await until(() => this.ended !== undefined);
    return status[this.ended?.code ?? status.UNKNOWN];
  }

  cancel(): void {
    this.call.cancel();
  }
}
