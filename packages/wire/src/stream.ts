/** The two messages of StreamSession in core's terms. */
import type { Envelope } from '@handover/core';
import { type AckError, errorType } from './ack.js';
import { envelopeType } from './envelope.js';
import { optional, string, uint64 } from './proto/field.js';
import { mergeMessage } from './proto/item.js';
import { message } from './proto/message.js';
import { Reader } from './proto/reader.js';
import { WireType } from './proto/wire-type.js';

/** What a client says on a stream: an envelope, or the session to follow. Nothing here checks that one is set. */
export interface StreamRequest {
  readonly envelope?: Envelope;
  readonly subscribeSessionId: string;
  /** Values above 2^53 - 1 decode as 2^53 - 1: no history is that long. */
  readonly afterSequence: number;
}

/** What the runtime says on a stream; `empty` when a peer sets neither member of the oneof. */
export type StreamFrame =
  | { readonly kind: 'envelope'; readonly envelope: Envelope }
  | { readonly kind: 'error'; readonly error: AckError }
  | { readonly kind: 'empty' };

const requestType = message<StreamRequest>({
  envelope: optional(1, envelopeType),
  subscribeSessionId: string(2),
  afterSequence: uint64(3),
});

const responseType = message<{ readonly envelope?: Envelope; readonly error?: AckError }>({
  envelope: optional(1, envelopeType),
  error: optional(2, errorType),
});
const ENVELOPE_TAG = (1 << 3) | WireType.Bytes;
const ERROR_TAG = (2 << 3) | WireType.Bytes;

export function encodeStreamRequest(request: StreamRequest): Uint8Array {
  return requestType.encode(request);
}

export function decodeStreamRequest(bytes: Uint8Array): StreamRequest | undefined {
  return requestType.decode(bytes);
}

export function encodeStreamFrame(frame: StreamFrame): Uint8Array {
  return frame.kind === 'empty' ? new Uint8Array(0) : responseType.encode(frame);
}

export function decodeStreamFrame(bytes: Uint8Array): StreamFrame | undefined {
  const reader = new Reader(bytes);
  let frame: StreamFrame = { kind: 'empty' };
  // A oneof, so not the table: a member clears the other, but merges with an earlier occurrence of itself.
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag === ENVELOPE_TAG) {
      const previous: Envelope = frame.kind === 'envelope' ? frame.envelope : envelopeType.absent;
      frame = { kind: 'envelope', envelope: mergeMessage(envelopeType, reader, previous) };
    } else if (tag === ERROR_TAG) {
      const previous: AckError = frame.kind === 'error' ? frame.error : errorType.absent;
      frame = { kind: 'error', error: mergeMessage(errorType, reader, previous) };
    } else reader.skip(tag);
  }
  return reader.result(frame);
}
