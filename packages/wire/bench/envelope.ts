/** Our codec against protobuf-es, one typical message each. Run: node --import tsx packages/wire/bench/envelope.ts */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type Ack, decodeAckResponse, encodeAckResponse } from '../src/ack.js';
import { decodeSendRequest, encodeSendRequest } from '../src/envelope.js';
import { handoffPayloadTypes } from '../src/modes/handoff.js';
import * as pb from '../src/pb.js';

const offer = {
  handoffId: 'handoff-1',
  targetParticipant: 'agent://owner-b',
  scope: 'support-ticket/4711',
  reason: 'the customer asks for an engineer',
};
const envelope = {
  macpVersion: '1.0',
  mode: 'macp.mode.handoff.v1',
  messageType: 'HandoffOffer',
  messageId: 'b3d3c1a2-5f6e-4c8d-9a0b-1c2d3e4f5a6b',
  sessionId: '018f2a3b-1111-4222-8333-444455556666',
  sender: 'agent://owner-a',
  timestampUnixMs: 1_763_210_000_123,
  payload: handoffPayloadTypes.HandoffOffer.encode(offer),
};
const ack: Ack = {
  ok: true,
  duplicate: false,
  messageId: envelope.messageId,
  sessionId: envelope.sessionId,
  acceptedAtUnixMs: envelope.timestampUnixMs,
  sessionState: 'OPEN',
};
const bytes = {
  send: encodeSendRequest(envelope),
  ack: encodeAckResponse(ack),
  offer: handoffPayloadTypes.HandoffOffer.encode(offer),
};

/** What a caller has to do to get from and to core's types: copy, and turn bigint into number. */
const es = {
  encodeSend: () => {
    const fields = { ...envelope, timestampUnixMs: BigInt(envelope.timestampUnixMs) };
    return toBinary(pb.SendRequestSchema, create(pb.SendRequestSchema, { envelope: fields }));
  },
  decodeSend: () => {
    const message = fromBinary(pb.SendRequestSchema, bytes.send).envelope;
    return message && { ...message, timestampUnixMs: Number(message.timestampUnixMs) };
  },
  encodeAck: () => {
    const fields = {
      ...ack,
      acceptedAtUnixMs: BigInt(ack.acceptedAtUnixMs),
      sessionState: pb.SessionState.OPEN,
    };
    return toBinary(pb.SendResponseSchema, create(pb.SendResponseSchema, { ack: fields }));
  },
  decodeAck: () => {
    const message = fromBinary(pb.SendResponseSchema, bytes.ack).ack;
    return message && { ...message, acceptedAtUnixMs: Number(message.acceptedAtUnixMs) };
  },
  encodeOffer: () =>
    toBinary(pb.handoff.HandoffOfferPayloadSchema, create(pb.handoff.HandoffOfferPayloadSchema, offer)),
  decodeOffer: () => fromBinary(pb.handoff.HandoffOfferPayloadSchema, bytes.offer),
};

const cases: [name: string, theirs: () => unknown, ours: () => unknown][] = [
  ['SendRequest encode', es.encodeSend, () => encodeSendRequest(envelope)],
  ['SendRequest decode', es.decodeSend, () => decodeSendRequest(bytes.send)],
  ['SendResponse encode', es.encodeAck, () => encodeAckResponse(ack)],
  ['SendResponse decode', es.decodeAck, () => decodeAckResponse(bytes.ack)],
  ['HandoffOffer encode', es.encodeOffer, () => handoffPayloadTypes.HandoffOffer.encode(offer)],
  ['HandoffOffer decode', es.decodeOffer, () => handoffPayloadTypes.HandoffOffer.decode(bytes.offer)],
];

function nanoseconds(run: () => unknown): number {
  const times = 200_000;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const start = process.hrtime.bigint();
    for (let index = 0; index < times; index++) run();
    best = Math.min(best, Number(process.hrtime.bigint() - start) / times);
  }
  return best;
}

for (const [name, theirs, ours] of cases) {
  const [before, after] = [nanoseconds(theirs), nanoseconds(ours)];
  console.log(
    `${name.padEnd(20)} protobuf-es ${before.toFixed(0).padStart(5)} ns   ours ${after.toFixed(0).padStart(5)} ns`,
  );
}
