/**
 * Every message of the wire contract: by protobuf-es, and where the server has a decoder of its own, by that one, too.
 * Whatever decodes encodes to bytes that decode to the same again, and both readers agree on what they read.
 */
import { isDeepStrictEqual } from 'node:util';
import { corePayloads, findPayload, HANDOFF_MODE, handoffPayloads } from '@handover/core';
import {
  type DescMessage,
  decodeAck,
  decodeAckResponse,
  decodeEnvelope,
  decodeMessage,
  decodeSendRequest,
  decodeStreamFrame,
  decodeStreamRequest,
  encodeAck,
  encodeAckResponse,
  encodeEnvelope,
  encodeMessage,
  encodeSendRequest,
  encodeStreamFrame,
  encodeStreamRequest,
  pb,
} from '@handover/wire';
import fc from 'fast-check';
import { nodeCodec as codec } from '../../../packages/server/src/platform/node-codec.js';
import { damaged } from '../../../packages/wire/test/arbitrary.js';
import { decoderTarget } from '../decoder-target.js';

const isSchema = (value: unknown): value is DescMessage =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'message';

/** By full name: macp.v1.Envelope and all others, of every mode. */
export const SCHEMAS: ReadonlyMap<string, DescMessage> = new Map(
  [pb, pb.decision, pb.handoff, pb.multiRound, pb.proposal, pb.quorum, pb.task]
    .flatMap((module) => Object.values(module) as unknown[])
    .filter(isSchema)
    .map((schema) => [schema.typeName, schema]),
);

type Pair = readonly [decode: (bytes: Uint8Array) => unknown, encode: (value: never) => Uint8Array];

const payloadPairs = [...Object.keys(corePayloads), ...Object.keys(handoffPayloads)].map((type): Pair => {
  const kind = findPayload(HANDOFF_MODE, type);
  if (!kind) throw new Error(`${type} is no payload`);
  return [(bytes) => codec.decode(kind, bytes), (value) => codec.encode(kind, value)];
});

/** Our own decoders. Each takes any bytes. */
const PAIRS: readonly Pair[] = [
  [decodeEnvelope, encodeEnvelope],
  [(bytes) => notText(decodeSendRequest(bytes)), encodeSendRequest],
  [decodeAck, encodeAck],
  [decodeAckResponse, encodeAckResponse],
  [decodeStreamRequest, encodeStreamRequest],
  [decodeStreamFrame, encodeStreamFrame],
  ...payloadPairs,
];

const notText = (value: unknown): unknown => (typeof value === 'string' ? undefined : value);

export const protobuf = decoderTarget({
  name: 'protobuf',
  generate(random) {
    const [name, schema] = random.pick([...SCHEMAS]);
    const [bytes = new Uint8Array(0)] = fc.sample(damaged(schema), { seed: random.word() | 0, numRuns: 1 });
    return { schema: name, bytes: Buffer.from(bytes).toString('base64') };
  },
  check(input) {
    const { schema: name, bytes: base64 } = input as { schema: string; bytes: string };
    const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
    const schema = SCHEMAS.get(name);
    if (!schema) return undefined;
    const generic: Pair = [(from) => decodeMessage(schema, from), (value) => encodeMessage(schema, value)];
    for (const [at, pair] of [generic, ...PAIRS].entries())
      if (!isStable(pair, bytes)) return `decoder ${at} is not stable`;
    return undefined;
  },
});

function isStable([decode, encode]: Pair, bytes: Uint8Array): boolean {
  const value = decode(bytes);
  if (value === undefined) return true;
  const again = encode(value as never);
  const reread = decode(again);
  return isDeepStrictEqual(reread, value) && Buffer.from(encode(reread as never)).equals(Buffer.from(again));
}
