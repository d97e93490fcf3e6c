/** Every gRPC method: messages that are right, nearly right and garbage, metadata, half-closed and cancelled calls. */
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { envelopeFromJson } from '@handover/core';
import {
  decodeAckResponse,
  decodeMessage,
  encodeSendRequest,
  encodeStreamRequest,
  type MethodKey,
  methods,
} from '@handover/wire';
import fc from 'fast-check';
import { nodeCodec as codec } from '../../../packages/server/src/platform/node-codec.js';
import { damaged } from '../../../packages/wire/test/arbitrary.js';
import { envelopeJson } from '../decoders/envelopes.js';
import type { Flaw } from '../target.js';
import type { Json } from '../values/json.js';
import { mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { mutateBytes, text, uuid, word } from '../values/texts.js';
import { bytesOfFields, fieldsOf } from './grpc-messages.js';
import { place } from './known.js';
import { move } from './moves.js';
import { saw } from './outcomes.js';
import { AGENTS } from './people.js';
import { serverTarget } from './server-target.js';
import type { ServerUnderTest } from './server-under-test.js';

type Part = { json: Json } | { fields: Json } | { base64: string };
type GrpcCase = {
  as: string;
  method: MethodKey;
  parts: Part[];
  metadata: [string, string][];
  end: 'close' | 'cancel';
  afterMs: number;
};

const KEYS = Object.keys(methods) as MethodKey[];
const OFTEN = Array.from({ length: 20 }, (_, at): MethodKey => (at % 4 === 0 ? 'streamSession' : 'send'));
const DEADLINE_MS = 15_000;

function part(random: Random, method: MethodKey, as: string, said: Json): Part {
  if (random.oneIn(8)) {
    const [bytes = new Uint8Array(0)] = fc.sample(damaged(methods[method].input), {
      seed: random.word() | 0,
      numRuns: 1,
    });
    return { base64: Buffer.from(random.oneIn(20) ? mutateBytes(random, bytes) : bytes).toString('base64') };
  }
  if (method !== 'send' && (method !== 'streamSession' || random.oneIn(2))) {
    const fields = fieldsOf(random, methods[method].input);
    return { fields: random.oneIn(3) ? mutateJson(random, fields) : fields };
  }
  const right = random.oneIn(3)
    ? envelopeJson(random, as, random.oneIn(3) ? uuid(random) : place(random, 'session'))
    : said;
  return { json: random.oneIn(3) ? mutateJson(random, right) : right };
}

export const grpc = serverTarget<GrpcCase>({
  name: 'grpc',
  generate(random) {
    const method = random.pick([...KEYS, ...OFTEN]);
    const { as: speaker, envelope } = move(random);
    const as = random.oneIn(12)
      ? random.pick(['', 'nobody'])
      : method === 'send'
        ? speaker
        : random.pick(AGENTS);
    const streams = methods[method].requestStream;
    return {
      as,
      method,
      parts: Array.from({ length: streams ? random.size(6) : 1 }, () => part(random, method, as, envelope)),
      metadata: random.oneIn(6)
        ? [
            [
              random.pick(['x', 'x-macp-token', 'grpc-timeout', 'macp-error-details-bin', word(random)]),
              text(random, 60),
            ],
          ]
        : [],
      end: random.oneIn(8) ? 'cancel' : 'close',
      afterMs: random.int(60),
    };
  },
  send: sendGrpc,
});

/** The bytes of one message; an envelope is written in JSON, so that it can be read and its names replaced. */
function bytesOf(one: Part, method: MethodKey): Uint8Array {
  if ('base64' in one) return Buffer.from(one.base64, 'base64');
  if ('fields' in one)
    return bytesOfFields(methods[method].input, one.fields) ?? Buffer.from(JSON.stringify(one.fields));
  const reading = envelopeFromJson(one.json, codec);
  if ('rejection' in reading) return Buffer.from(JSON.stringify(one.json));
  const { envelope } = reading;
  return method === 'send'
    ? encodeSendRequest(envelope)
    : encodeStreamRequest({ envelope, subscribeSessionId: '', afterSequence: 0 });
}

function metadataOf(one: GrpcCase, server: ServerUnderTest): Metadata {
  const metadata = new Metadata();
  const bearer = server.bearer(one.as);
  if (bearer !== undefined) metadata.set('authorization', `Bearer ${bearer}`);
  for (const [name, value] of one.metadata)
    try {
      metadata.set(name, name.endsWith('-bin') ? Buffer.from(value) : value);
    } catch {
      // The client refuses to send it.
    }
  return metadata;
}

async function sendGrpc(one: GrpcCase, server: ServerUnderTest): Promise<Flaw | undefined> {
  const client = new Client(server.grpc, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  });
  const { path, name, responseStream, requestStream, output } = methods[one.method];
  const parts = one.parts.map((each) => bytesOf(each, one.method));
  const options = { deadline: Date.now() + DEADLINE_MS };
  const call = client.makeBidiStreamRequest<Uint8Array, Buffer>(
    path,
    (bytes) => Buffer.from(bytes),
    (bytes) => bytes,
    metadataOf(one, server),
    options,
  );
  const ended = new Promise<{ code: status; details: string }>((resolve) => call.on('status', resolve));
  call.on('error', () => {});
  call.on('data', (bytes: Buffer) => {
    const ack = decodeAckResponse(bytes);
    if (ack?.ok) server.known.add('session', ack.sessionId);
    if (one.method === 'send') saw('grpc', `Ack ${ack?.error?.code ?? ack?.ok}`);
    decodeMessage(output, bytes);
  });
  for (const bytes of parts) call.write(bytes);
  call.end();
  // Watches end when the client says so.
  const isWatch = responseStream && !requestStream;
  if (one.end === 'cancel' || isWatch) setTimeout(() => call.cancel(), one.afterMs);
  const { code, details } = await ended;
  client.close();
  saw('grpc', status[code]);
  const cancelled = one.end === 'cancel' || isWatch;
  if (code === status.DEADLINE_EXCEEDED && !one.metadata.some(([key]) => key === 'grpc-timeout'))
    return { kind: 'unanswered', what: `${name}: ${details}` };
  const isInside = code === status.INTERNAL || code === status.UNKNOWN || code === status.DATA_LOSS;
  const isGone = code === status.UNAVAILABLE && !cancelled;
  return isInside || isGone ? { kind: 'internal', what: `${name}: ${status[code]} ${details}` } : undefined;
}
