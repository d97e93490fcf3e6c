/** The gRPC side of a test: raw grpc-js and the wire codecs, one connection, a credential per call. */
import {
  type ChannelCredentials,
  Client,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import type { Envelope } from '@handover/core';
import {
  type Ack,
  decodeAckResponse,
  decodeMessage,
  decodeStreamFrame,
  encodeMessage,
  encodeSendRequest,
  encodeStreamRequest,
  type MessageInitShape,
  type MessageShape,
  type MethodEntry,
  type MethodKey,
  methods,
} from '@handover/wire';
import type { Refused } from '../conformance/wire/door.js';
import { LiveStream } from './grpc-stream.js';

const DEADLINE_MS = 20_000;
const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const asIs = (bytes: Buffer) => bytes;

export function authorization(bearer: string | undefined): Metadata {
  const metadata = new Metadata();
  if (bearer !== undefined) metadata.set('authorization', `Bearer ${bearer}`);
  return metadata;
}

export function refusedBy(thrown: unknown): Refused {
  const error = thrown as ServiceError;
  return { status: status[error.code], message: error.details };
}

export class GrpcClient {
  readonly #client: Client;

  constructor(address: string, channel: ChannelCredentials = credentials.createInsecure()) {
    this.#client = new Client(address, channel, { 'grpc.use_local_subchannel_pool': 1 });
  }

  /** Bytes in, bytes out; rejects with the ServiceError. */
  raw(key: MethodKey, bytes: Uint8Array, bearer: string | undefined): Promise<Uint8Array> {
    return this.unary(methods[key].path, bytes, bearer);
  }

  unary(path: string, bytes: Uint8Array, bearer?: string): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        asBuffer,
        asIs,
        bytes,
        authorization(bearer),
        { deadline: Date.now() + DEADLINE_MS },
        (error, answer) => (answer ? resolve(answer) : reject(error)),
      );
    });
  }

  async call<K extends MethodKey>(
    key: K,
    fields: MessageInitShape<MethodEntry<K>['input']>,
    bearer: string | undefined,
  ): Promise<MessageShape<MethodEntry<K>['output']> | Refused> {
    const { input, output } = methods[key] as MethodEntry<K>;
    try {
      const bytes = await this.raw(key, encodeMessage(input, fields), bearer);
      const message = decodeMessage(output, bytes);
      if (!message) throw new Error('the answer is not the message of this method');
      return message as MessageShape<MethodEntry<K>['output']>;
    } catch (error) {
      return refusedBy(error);
    }
  }

  /** A server stream of raw frames. */
  watch(key: MethodKey, bearer: string | undefined, request: Uint8Array = new Uint8Array(0)) {
    return this.#client.makeServerStreamRequest(
      methods[key].path,
      asBuffer,
      asIs,
      request,
      authorization(bearer),
    );
  }

  /** StreamSession in raw frames. */
  stream(bearer: string | undefined) {
    return this.bidi(methods.streamSession.path, bearer);
  }

  bidi(path: string, bearer?: string) {
    return this.#client.makeBidiStreamRequest(path, asBuffer, asIs, authorization(bearer));
  }

  /** StreamSession, frames decoded and kept. */
  live(bearer: string | undefined): LiveStream {
    return new LiveStream(this.stream(bearer));
  }

  async send(envelope: Envelope, bearer: string | undefined = envelope.sender): Promise<Ack> {
    const ack = decodeAckResponse(await this.raw('send', encodeSendRequest(envelope), bearer));
    if (!ack) throw new Error('the answer holds no Ack');
    return ack;
  }

  /** Subscribes from the beginning and says no more: what is stored by then comes, and the stream ends. */
  history(sessionId: string, bearer: string | undefined): Promise<readonly Envelope[] | Refused> {
    const call = this.stream(bearer);
    const envelopes: Envelope[] = [];
    return new Promise((resolve) => {
      call.on('error', (error: ServiceError) => resolve(refusedBy(error)));
      call.on('end', () => resolve(envelopes));
      call.on('data', (bytes: Buffer) => {
        const frame = decodeStreamFrame(bytes);
        if (frame?.kind === 'envelope') envelopes.push(frame.envelope);
        else if (frame?.kind === 'error') resolve({ status: frame.error.code, message: frame.error.message });
      });
      call.write(encodeStreamRequest({ subscribeSessionId: sessionId, afterSequence: 0 }));
      call.end();
    });
  }

  close(): void {
    this.#client.close();
  }
}
