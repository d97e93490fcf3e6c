/** gRPC as this package uses it: bytes in, bytes out, this package's errors, an AbortSignal everywhere. */
import type { Client, ClientDuplexStream, ClientReadableStream, Metadata } from '@grpc/grpc-js';
import {
  decodeMessage,
  encodeMessage,
  type MessageInitShape,
  type MessageShape,
  type MethodKey,
  methods,
} from '@handover/wire';
import { validateTimeout } from '../arguments.js';
import { type AuthConfig, validateAuth } from '../auth.js';
import { MacpClosedError, MacpTransportError } from '../errors.js';
import { type CallIds, injectCurrent, type Trace, traced } from '../telemetry/traced.js';
import { type CallOptions, grpcOptions, metadataFor, validateCall } from './call-options.js';
import { type ChannelSettings, type Endpoint, endpointOf } from './channel.js';
import { toTransportError } from './status.js';
import { StreamChannels } from './stream-channels.js';

type Input<K extends MethodKey> = MessageInitShape<(typeof methods)[K]['input']>;
type Output<K extends MethodKey> = MessageShape<(typeof methods)[K]['output']>;
export type ByteDuplex = ClientDuplexStream<Uint8Array, Uint8Array>;

const toBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
// Not a Buffer: its slice() is a view, and what callers keep would hold on to whole network frames.
const toBytes = (buffer: Buffer) => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);

export class Transport {
  /** Where the calls go, for errors that name it. */
  readonly endpoint: Endpoint;
  /** For calls that are answered at once; streams have channels of their own. */
  readonly #channel: Client;
  readonly #streams: StreamChannels;
  readonly #auth: AuthConfig | undefined;
  readonly #deadlineMs: number;
  readonly #closing = new AbortController();

  constructor(settings: ChannelSettings, auth: AuthConfig | undefined, deadlineMs: number) {
    validateTimeout('defaultDeadlineMs', deadlineMs);
    validateAuth(auth);
    this.endpoint = endpointOf(settings);
    this.#channel = this.endpoint.open();
    this.#streams = new StreamChannels(this.endpoint);
    this.#auth = auth;
    this.#deadlineMs = deadlineMs;
  }

  async unary<K extends MethodKey>(key: K, request: Input<K>, options: CallOptions = {}): Promise<Output<K>> {
    const { input, output } = methods[key];
    validateCall(options);
    const ids = idsIn(request);
    return traced(key, ids, async (trace) => {
      const reply = await this.unaryBytes(key, encodeMessage(input, request), options, ids, trace);
      return decoded(decodeMessage(output, reply), key);
    });
  }

  /** The options were checked. */
  unaryBytes(
    key: MethodKey,
    request: Uint8Array,
    options: CallOptions,
    { sessionId, messageId }: CallIds,
    trace?: Trace,
  ): Promise<Uint8Array> {
    const { signal, auth = this.#auth, deadlineMs = this.#deadlineMs } = options;
    if (signal?.aborted) return Promise.reject(cancelled());
    if (this.closed.aborted) return Promise.reject(isClosed());
    const metadata = metadataFor(auth);
    trace?.inject(metadata);
    return new Promise((resolve, reject) => {
      const abort = () => call.cancel();
      const call = this.#channel.makeUnaryRequest(
        methods[key].path,
        toBuffer,
        toBytes,
        request,
        metadata,
        grpcOptions(deadlineMs),
        (error, reply) => {
          signal?.removeEventListener('abort', abort);
          if (reply) resolve(reply);
          else {
            const called = { ...this.endpoint, sessionId, messageId };
            reject(toTransportError(error ?? new Error('the runtime answered nothing'), called));
          }
        },
      );
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  serverStream<K extends MethodKey>(key: K, auth: AuthConfig | undefined): ClientReadableStream<Uint8Array> {
    if (this.closed.aborted) throw isClosed();
    const { path, input } = methods[key];
    // The requests of all watches are empty messages.
    const request = encodeMessage(input, {} as Input<K>);
    const metadata = this.#streamMetadata(auth);
    return this.#streams.take(metadata, (channel, options) =>
      channel.makeServerStreamRequest(path, toBuffer, toBytes, request, metadata, options),
    );
  }

  /** A stream of a session, which also says when the session is suspended, resumed or cancelled. */
  duplex(auth: AuthConfig | undefined): ByteDuplex {
    if (this.closed.aborted) throw isClosed();
    const { path } = methods.streamSession;
    const metadata = this.#streamMetadata(auth);
    metadata.set('handover-control', '1');
    return this.#streams.take(metadata, (channel, options) =>
      channel.makeBidiStreamRequest(path, toBuffer, toBytes, metadata, options),
    );
  }

  #streamMetadata(auth: AuthConfig | undefined): Metadata {
    const metadata = metadataFor(auth ?? this.#auth);
    injectCurrent(metadata);
    return metadata;
  }

  /** Fires on close: grpc-js lets calls that are under way go on, so whoever reads a stream must be told. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  close(): void {
    this.#closing.abort();
    this.#channel.close();
    this.#streams.close();
  }
}

function idsIn(request: object): CallIds {
  return 'sessionId' in request && typeof request.sessionId === 'string'
    ? { sessionId: request.sessionId }
    : {};
}

export function decoded<T>(message: T | undefined, what: string): T {
  if (message === undefined) throw new MacpTransportError(`the answer to ${what} cannot be read`, 'INTERNAL');
  return message;
}

function isClosed(): MacpClosedError {
  return new MacpClosedError('the client is closed');
}

function cancelled(): MacpTransportError {
  return new MacpTransportError('CANCELLED: aborted by the caller', 'CANCELLED');
}
