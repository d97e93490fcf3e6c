/** A bare gRPC client on the wire codecs: no SDK between the test and what it tests. */
import { Client, type ClientDuplexStream, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import type { Envelope } from '@handover/core';
import {
  type Ack,
  decodeAckResponse,
  decodeStreamFrame,
  encodeSendRequest,
  encodeStreamRequest,
  methods,
  type StreamFrame,
  type StreamRequest,
} from '@handover/wire';

export interface BareClient {
  /** Rejects with a gRPC ServiceError when there is no Ack. */
  send(envelope: Envelope, agent?: string, deadlineMs?: number): Promise<Ack>;
  stream(agent: string): ClientDuplexStream<StreamRequest, StreamFrame>;
  /** Everything that is accepted so far, from the beginning. */
  history(sessionId: string, agent: string): Promise<readonly Envelope[]>;
  readonly raw: Client;
  close(): void;
}

const toBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function bearer(agent: string): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${agent}`);
  return metadata;
}

function decoded<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the server sent bytes that are not the message');
  return value;
}

export function connect(address: string): BareClient {
  const raw = new Client(address, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  const send: BareClient['send'] = (envelope, agent = envelope.sender, deadlineMs = 10_000) =>
    new Promise((resolve, reject) => {
      raw.makeUnaryRequest(
        methods.send.path,
        (value: Envelope) => toBuffer(encodeSendRequest(value)),
        (bytes: Buffer) => decoded(decodeAckResponse(bytes)),
        envelope,
        bearer(agent),
        { deadline: Date.now() + deadlineMs },
        (error: ServiceError | null, ack?: Ack) =>
          ack ? resolve(ack) : reject(error ?? new Error('no answer')),
      );
    });
  const stream: BareClient['stream'] = (agent) =>
    raw.makeBidiStreamRequest(
      methods.streamSession.path,
      (value: StreamRequest) => toBuffer(encodeStreamRequest(value)),
      (bytes: Buffer) => decoded(decodeStreamFrame(bytes)),
      bearer(agent),
    );
  const history: BareClient['history'] = async (sessionId, agent) => {
    const call = stream(agent);
    const envelopes: Envelope[] = [];
    call.write({ subscribeSessionId: sessionId, afterSequence: 0 });
    // After a half-close the server sends what there is and ends. To cancel instead would be a reset per session, and a
    // connection with too many resets is closed as an attack.
    call.end();
    await new Promise<void>((resolve, reject) => {
      call.on('error', reject);
      call.on('end', resolve);
      call.on('data', (frame: StreamFrame) => {
        if (frame.kind === 'envelope') envelopes.push(frame.envelope);
        if (frame.kind === 'error') reject(new Error(frame.error.code));
      });
    });
    return envelopes;
  };
  return { send, stream, history, raw, close: () => raw.close() };
}
