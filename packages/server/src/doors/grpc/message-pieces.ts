/**
 * The pieces of a request message, seen before grpc-js puts them together. grpc-js has one limit for the messages of all
 * calls, and no way to see what has arrived of one: the decoder of a call, which reads the length of a message before the
 * message, gets another in front of it.
 */
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { RejectionCode, reject } from '@handover/core';
import type { Arrival } from './arrivals.js';
import type { Connection } from './connections/connection.js';
import { type Status, statusOfRejection } from './errors.js';

/** Puts messages together. */
interface Decoder {
  maxReadMessageLength: number;
  write(data: Buffer): Buffer[];
}

/** The part of a grpc-js call that holds it. */
interface Decoding {
  decoder: Decoder;
  /** Of a message that was compressed. */
  maxReceiveMessageSize: number;
}

/** A larger message ends the call with the status. */
export interface MessageBound {
  readonly bytes: number;
  status(): Status;
}

const NOTHING: Buffer[] = [];
const MESSAGE_TOO_LARGE = statusOfRejection(
  reject(RejectionCode.PAYLOAD_TOO_LARGE, 'the message is larger than any that this server takes'),
);

export function watchMessages(
  call: ServerInterceptingCallInterface,
  arrival: Arrival,
  bound: MessageBound | undefined,
  connection: Connection | undefined,
): void {
  const decoding = call as unknown as Decoding;
  const { decoder } = decoding;
  decoding.decoder = new CountingDecoder(decoder, arrival, bound, connection) as unknown as Decoder;
  if (!bound) return;
  decoder.maxReadMessageLength = Math.min(bound.bytes, decoder.maxReadMessageLength);
  decoding.maxReceiveMessageSize = Math.min(bound.bytes, decoding.maxReceiveMessageSize);
}

class CountingDecoder {
  readonly #decoder: Decoder;
  readonly #arrival: Arrival;
  readonly #bound: MessageBound | undefined;
  readonly #connection: Connection | undefined;

  constructor(
    decoder: Decoder,
    arrival: Arrival,
    bound: MessageBound | undefined,
    connection: Connection | undefined,
  ) {
    this.#decoder = decoder;
    this.#arrival = arrival;
    this.#bound = bound;
    this.#connection = connection;
  }

  write(data: Buffer): Buffer[] {
    this.#connection?.useful(data.length);
    if (!this.#arrival.take(data.length)) return NOTHING;
    try {
      return this.#decoder.write(ownBytes(data));
    } catch (thrown) {
      // The first status counts: this one says more than that of the decoder.
      this.#arrival.call.sendStatus(this.#bound?.status() ?? MESSAGE_TOO_LARGE);
      throw thrown;
    }
  }
}

/** A piece is a view of all that the connection read at once. A small one must not keep all of that. */
function ownBytes(data: Buffer): Buffer {
  return data.length * 2 < data.buffer.byteLength ? Buffer.from(data) : data;
}
