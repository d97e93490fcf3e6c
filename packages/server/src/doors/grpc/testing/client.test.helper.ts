/** A real grpc-js client that speaks bytes, so that a test can say exactly what crosses. */
import {
  type ChannelCredentials,
  Client,
  type ClientOptions,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import type { Envelope } from '@handover/core';
import {
  type Ack,
  decodeAckResponse,
  decodeMessage,
  encodeMessage,
  encodeSendRequest,
  type MessageInitShape,
  type MessageShape,
  type MethodEntry,
  type MethodKey,
  methods,
} from '@handover/wire';
import { TestStream, TestWatch } from './streams.test.helper.js';

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes);
const asIs = (bytes: Buffer) => bytes;

type Input<K extends MethodKey> = MessageInitShape<MethodEntry<K>['input']>;
type Output<K extends MethodKey> = MessageShape<MethodEntry<K>['output']>;

export class TestClient {
  readonly #client: Client;
  readonly #metadata = new Metadata();

  constructor(
    port: number,
    authorization?: string,
    channel: ChannelCredentials = credentials.createInsecure(),
    options: ClientOptions = {},
  ) {
    if (authorization !== undefined) this.#metadata.set('authorization', authorization);
    // Each client has a connection of its own.
    this.#client = new Client(`127.0.0.1:${port}`, channel, {
      'grpc.use_local_subchannel_pool': 1,
      ...options,
    });
  }

  get metadata(): Metadata {
    return this.#metadata;
  }

  async call<K extends MethodKey>(key: K, fields: Input<K>): Promise<Output<K>> {
    const { input, output } = methods[key] as MethodEntry<K>;
    const bytes = await this.raw(key, encodeMessage(input, fields));
    const message = decodeMessage(output, bytes);
    if (!message) throw new Error('the answer is not the message of this method');
    return message as Output<K>;
  }

  raw(key: MethodKey, bytes: Uint8Array, deadline?: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        methods[key].path,
        asBuffer,
        asIs,
        bytes,
        this.#metadata,
        deadline === undefined ? {} : { deadline },
        (error, answer) => (answer ? resolve(answer) : reject(error)),
      );
    });
  }

  async send(envelope: Envelope): Promise<Ack> {
    const ack = decodeAckResponse(await this.raw('send', encodeSendRequest(envelope)));
    if (!ack) throw new Error('no Ack');
    return ack;
  }

  watch<K extends MethodKey>(key: K): TestWatch<Output<K>> {
    return this.watchRaw(key, new Uint8Array(0));
  }

  watchRaw<K extends MethodKey>(key: K, bytes: Uint8Array): TestWatch<Output<K>> {
    const { path, output } = methods[key] as MethodEntry<K>;
    const call = this.#client.makeServerStreamRequest(path, asBuffer, asIs, bytes, this.#metadata);
    return new TestWatch(call, (frame) => decodeMessage(output, frame) as Output<K>);
  }

  stream(): TestStream {
    const { path } = methods.streamSession;
    return new TestStream(this.#client.makeBidiStreamRequest(path, asBuffer, asIs, this.#metadata));
  }

  close(): void {
    this.#client.close();
  }
}

/** The status with which a call was refused. */
export async function refusal(call: Promise<unknown>): Promise<ServiceError> {
  try {
    await call;
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('the call was not refused');
}
