/** The client's side of StreamSession: sends requests, and keeps the frames in order and the status at the end. */
import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { Envelope } from '@handover/core';
import { decodeStreamFrame, encodeStreamRequest, type StreamFrame } from '@handover/wire';
import { GrpcWatch } from './grpc-watch.js';

export class GrpcStream extends GrpcWatch<StreamFrame> {
  readonly call: ClientDuplexStream<Uint8Array, Buffer>;

  constructor(call: ClientDuplexStream<Uint8Array, Buffer>) {
    super(call, (bytes) => decodeStreamFrame(bytes) ?? { kind: 'empty' });
    this.call = call;
  }

  raw(bytes: Uint8Array): this {
    this.call.write(bytes);
    return this;
  }

  send(envelope: Envelope): this {
    return this.raw(encodeStreamRequest({ envelope, subscribeSessionId: '', afterSequence: 0 }));
  }

  subscribe(sessionId: string, afterSequence = 0): this {
    return this.raw(encodeStreamRequest({ subscribeSessionId: sessionId, afterSequence }));
  }

  halfClose(): this {
    this.call.end();
    return this;
  }

  get envelopes(): readonly Envelope[] {
    return this.frames.flatMap((frame) => (frame.kind === 'envelope' ? [frame.envelope] : []));
  }

  get errors(): readonly string[] {
    return this.frames.flatMap((frame) => (frame.kind === 'error' ? [frame.error.code] : []));
  }

  /** Message ids of the next envelopes. */
  async ids(count: number): Promise<string[]> {
    return (await this.take(count)).map(idOf);
  }
}

export function idOf(frame: StreamFrame): string {
  if (frame.kind === 'envelope') return frame.envelope.messageId;
  return frame.kind === 'error' ? `error ${frame.error.code}` : 'empty';
}
