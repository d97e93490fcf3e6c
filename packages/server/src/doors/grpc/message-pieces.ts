/**
 * The pieces of a request message, seen before grpc-js puts them together. grpc-js has one limit for the messages of all
 * calls, and no other way to give a call its own: it is set on the decoder of the call, which reads the length of a message
 * before the message.
 */
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import type { Arrival } from './arrivals.js';
import type { Status } from './errors.js';

/** The part of a grpc-js call that puts messages together. */
interface Decoding {
  readonly decoder: { maxReadMessageLength: number; write(data: Buffer): Buffer[] };
  /** Of a message that was compressed. */
  maxReceiveMessageSize: number;
}

const NOTHING: Buffer[] = [];

/** Counts what arrives. */
export function watchMessages(call: ServerInterceptingCallInterface, arrival: Arrival): void {
  const { decoder } = call as unknown as Decoding;
  const write = decoder.write.bind(decoder);
  decoder.write = (data) => (arrival.take(data.length) ? write(ownBytes(data)) : NOTHING);
}

/** A larger message ends the call. */
export function boundMessages(
  call: ServerInterceptingCallInterface,
  bytes: number,
  status: () => Status,
): void {
  const decoding = call as unknown as Decoding;
  const { decoder } = decoding;
  const write = decoder.write.bind(decoder);
  decoder.maxReadMessageLength = Math.min(bytes, decoder.maxReadMessageLength);
  decoding.maxReceiveMessageSize = Math.min(bytes, decoding.maxReceiveMessageSize);
  decoder.write = (data) => {
    try {
      return write(data);
    } catch (thrown) {
      // The first status counts: this one says more than that of the decoder.
      call.sendStatus(status());
      throw thrown;
    }
  };
}

/** A piece is a view of all that the connection read at once. A small one must not keep all of that. */
function ownBytes(data: Buffer): Buffer {
  return data.length * 2 < data.buffer.byteLength ? Buffer.from(data) : data;
}
