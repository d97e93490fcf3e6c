/** gRPC calls: messages that are right, nearly right and garbage, for every method of every service of the port. */
import { envelopeFromJson } from '@handover/core';
import { encodeSendRequest, encodeStreamRequest, type MethodKey, methods } from '@handover/wire';
import fc from 'fast-check';
import { nodeCodec as codec } from '../../../packages/server/src/platform/node-codec.js';
import { damaged } from '../../../packages/wire/test/arbitrary.js';
import { envelopeJson } from '../decoders/envelopes.js';
import type { Json } from '../values/json.js';
import { mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { mutateBytes, text, uuid, word } from '../values/texts.js';
import { bytesOfFields, fieldsOf } from './grpc-messages.js';
import { place } from './known.js';
import { move } from './moves.js';
import { AGENTS } from './people.js';

type Part = { json: Json } | { fields: Json } | { base64: string };
export type GrpcCase = {
  as: string;
  method: MethodKey;
  /** A method of another service of the port, in place of this one. */
  other: string | null;
  parts: Part[];
  metadata: [string, string][];
  end: 'close' | 'cancel';
  afterMs: number;
};

const NAMES = ['x', 'x-macp-token', 'grpc-timeout', 'macp-error-details-bin', 'grpc-encoding'];
const OTHERS = [
  '/grpc.health.v1.Health/Check',
  '/grpc.health.v1.Health/Watch',
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
  '/macp.v1.MACPRuntimeService/Nothing',
  '/',
];
const KEYS = Object.keys(methods) as MethodKey[];
const OFTEN = Array.from({ length: 20 }, (_, at): MethodKey => (at % 4 === 0 ? 'streamSession' : 'send'));

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

/** A message with one text: the name that health is asked about, or the host that reflection is asked for. */
function name(random: Random): Part {
  const value = Buffer.from(random.oneIn(3) ? 'x'.repeat(random.size(900_000)) : text(random, 300));
  const length: number[] = [];
  for (let left = value.length; left > 0; left >>>= 7) length.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
  return { base64: Buffer.concat([Buffer.from([0x0a, ...length]), value]).toString('base64') };
}

export function grpcCase(random: Random): GrpcCase {
  const method = random.pick([...KEYS, ...OFTEN]);
  const { as: speaker, envelope } = move(random);
  const usually = method === 'send' ? speaker : random.pick(AGENTS);
  const as = random.oneIn(12) ? random.pick(['', 'nobody']) : usually;
  const count = methods[method].requestStream ? random.size(6) : 1;
  const other = random.oneIn(15) ? random.pick(OTHERS) : null;
  const isNamed = other !== null && random.oneIn(2);
  return {
    as,
    method,
    other,
    parts: isNamed ? [name(random)] : Array.from({ length: count }, () => part(random, method, as, envelope)),
    metadata: random.oneIn(6)
      ? [[random.oneIn(2) ? word(random) : random.pick(NAMES), text(random, 60)]]
      : [],
    end: random.oneIn(8) ? 'cancel' : 'close',
    afterMs: random.int(60),
  };
}

/** The bytes of one message; an envelope is written in JSON, so that it can be read and its names replaced. */
export function bytesOf(one: Part, method: MethodKey): Uint8Array {
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
