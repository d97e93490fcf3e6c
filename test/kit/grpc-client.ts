/**
 * The one gRPC client of the tests: raw grpc-js and the wire codecs, without an SDK, so that a test decides exactly
 * which bytes it sends. Each client has a connection of its own.
 *
 * The bearer is given to the client or to each call; `null` means no credential. Without either, `send` uses the
 * envelope's sender as the bearer, which is that agent in dev mode.
 */
import {
  type ChannelCredentials,
  Client,
  type ClientDuplexStream,
  type ClientOptions,
  type ClientReadableStream,
  credentials,
  Metadata,
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
  type StreamFrame,
  type StreamRequest,
} from '@handover/wire';
import { GrpcStream } from './grpc-stream.js';
import { GrpcWatch } from './grpc-watch.js';
import { type Refused, refusedBy } from './refused.js';

const DEADLINE_MS = 20_000;
const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const asIs = (bytes: Buffer) => bytes;

type Input<K extends MethodKey> = MessageInitShape<MethodEntry<K>['input']>;
type Output<K extends MethodKey> = MessageShape<MethodEntry<K>['output']>;
export type Bearer = string | null;

type Headers = Readonly<Record<string, string>>;

/** Asks a stream for suspend, resume and cancel as well. */
export const WITH_CONTROLS: Headers = { 'handover-control': '1' };

export interface GrpcClientOptions {
  readonly bearer?: Bearer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly channel?: ChannelCredentials;
  readonly channelOptions?: ClientOptions;
}

export class GrpcClient {
  readonly #client: Client;
  readonly #options: GrpcClientOptions;

  constructor(address: string, options: GrpcClientOptions = {}) {
    const { channel = credentials.createInsecure(), channelOptions } = options;
    this.#options = options;
    this.#client = new Client(address, channel, { 'grpc.use_local_subchannel_pool': 1, ...channelOptions });
  }

  /** Bytes in, bytes out; rejects with the ServiceError. */
  raw(key: MethodKey, bytes: Uint8Array, bearer?: Bearer, deadlineMs?: number): Promise<Uint8Array> {
    return this.unary(methods[key].path, bytes, bearer, deadlineMs);
  }

  unary(path: string, bytes: Uint8Array, bearer?: Bearer, deadlineMs = DEADLINE_MS): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        asBuffer,
        asIs,
        bytes,
        this.#metadata(bearer),
        { deadline: Date.now() + deadlineMs },
        (error, answer) => (answer ? resolve(answer) : reject(error)),
      );
    });
  }

  /** Rejects with the ServiceError. */
  async call<K extends MethodKey>(key: K, fields: Input<K>, bearer?: Bearer): Promise<Output<K>> {
    const { input, output } = methods[key] as MethodEntry<K>;
    const message = decodeMessage(output, await this.raw(key, encodeMessage(input, fields), bearer));
    if (!message) throw new Error('the answer is not the message of this method');
    return message as Output<K>;
  }

  /** Like `call`, but a refusal is an answer. */
  ask<K extends MethodKey>(key: K, fields: Input<K>, bearer?: Bearer): Promise<Output<K> | Refused> {
    return this.call(key, fields, bearer).catch(refusedBy);
  }

  async send(envelope: Envelope, bearer?: Bearer, deadlineMs?: number): Promise<Ack> {
    const { bearer: caller = envelope.sender } = {
      ...this.#options,
      ...(bearer !== undefined && { bearer }),
    };
    const ack = decodeAckResponse(await this.raw('send', encodeSendRequest(envelope), caller, deadlineMs));
    if (!ack) throw new Error('the answer holds no Ack');
    return ack;
  }

  /** A server stream, frames decoded and kept. */
  watch<K extends MethodKey>(
    key: K,
    bearer?: Bearer,
    request: Uint8Array = new Uint8Array(0),
  ): GrpcWatch<Output<K>> {
    const { output } = methods[key] as MethodEntry<K>;
    return new GrpcWatch(
      this.watchRaw(key, bearer, request),
      (frame) => decodeMessage(output, frame) as Output<K>,
    );
  }

  watchRaw(
    key: MethodKey,
    bearer?: Bearer,
    request: Uint8Array = new Uint8Array(0),
  ): ClientReadableStream<Buffer> {
    const { path } = methods[key];
    return this.#client.makeServerStreamRequest(path, asBuffer, asIs, request, this.#metadata(bearer));
  }

  /** StreamSession, frames decoded and kept. */
  stream(bearer?: Bearer, headers: Headers = {}): GrpcStream {
    return new GrpcStream(this.bidi(methods.streamSession.path, bearer, headers));
  }

  /** StreamSession that keeps no frames: for benchmarks and long runs. */
  streamOfFrames(bearer?: Bearer): ClientDuplexStream<StreamRequest, StreamFrame> {
    return this.#client.makeBidiStreamRequest(
      methods.streamSession.path,
      (request: StreamRequest) => asBuffer(encodeStreamRequest(request)),
      (bytes: Buffer): StreamFrame => decodeStreamFrame(bytes) ?? { kind: 'empty' },
      this.#metadata(bearer),
    );
  }

  bidi(path: string, bearer?: Bearer, headers: Headers = {}): ClientDuplexStream<Uint8Array, Buffer> {
    return this.#client.makeBidiStreamRequest(path, asBuffer, asIs, this.#metadata(bearer, headers));
  }

  /**
   * All envelopes so far, from the beginning, and what the session was suspended, resumed or cancelled by. After a half-close the server sends what it has and ends. A
   * cancel instead would be a reset per session, and the server closes a connection with too many resets as an attack.
   */
  async history(sessionId: string, bearer?: Bearer): Promise<readonly Envelope[]> {
    const stream = this.stream(bearer, WITH_CONTROLS).subscribe(sessionId).halfClose();
    const read = new Promise((resolve) => stream.call.once('end', resolve));
    const ended = await stream.status;
    if (ended.code !== status.OK) throw Object.assign(new Error(ended.details), ended);
    await read;
    const [refused] = stream.errors;
    if (refused !== undefined) throw new Error(refused);
    return stream.envelopes;
  }

  close(): void {
    this.#client.close();
  }

  #metadata(bearer: Bearer = this.#options.bearer ?? null, headers: Headers = {}): Metadata {
    const metadata = new Metadata();
    if (bearer !== null) metadata.set('authorization', `Bearer ${bearer}`);
    for (const [name, value] of Object.entries({ ...this.#options.headers, ...headers }))
      metadata.set(name, value);
    return metadata;
  }
}
