/** Holds the codec to protobuf-es on every message that it reads and writes (E1, E2, E3 of envelope.ts). */
import { type DescMessage, toBinary } from '@bufbuild/protobuf';
import type { CorePayloadType, ModeName, ModePayloads } from '@handover/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitrary, damaged } from '../test/arbitrary.js';
import { plain } from '../test/plain.js';
import { reference } from '../test/reference.js';
import { type Ack, decodeAck, encodeAck } from './ack.js';
import { decodeEnvelope, decodeSendRequest, encodeEnvelope, encodeSendRequest } from './envelope.js';
import { modePayloadTypes } from './modes/mode-payloads.js';
import { corePayloadTypes } from './payloads.js';
import * as pb from './pb.js';
import type { MessageType } from './proto/message.js';
import { decodeStreamFrame, decodeStreamRequest, encodeStreamFrame, encodeStreamRequest } from './stream.js';

interface Pair {
  readonly schema: DescMessage;
  encode(value: never): Uint8Array;
  decode(bytes: Uint8Array): unknown;
}

const coreSchemas: Record<CorePayloadType, DescMessage> = {
  SessionStart: pb.SessionStartPayloadSchema,
  Commitment: pb.CommitmentPayloadSchema,
  SessionCancel: pb.SessionCancelPayloadSchema,
  SessionSuspend: pb.SessionSuspendPayloadSchema,
  SessionResume: pb.SessionResumePayloadSchema,
  Signal: pb.SignalPayloadSchema,
  Progress: pb.ProgressPayloadSchema,
};
const modeSchemas: { readonly [M in ModeName]: Record<keyof ModePayloads[M], DescMessage> } = {
  'macp.mode.handoff.v1': {
    HandoffOffer: pb.handoff.HandoffOfferPayloadSchema,
    HandoffContext: pb.handoff.HandoffContextPayloadSchema,
    HandoffAccept: pb.handoff.HandoffAcceptPayloadSchema,
    HandoffDecline: pb.handoff.HandoffDeclinePayloadSchema,
  },
  'macp.mode.decision.v1': {
    Proposal: pb.decision.ProposalPayloadSchema,
    Evaluation: pb.decision.EvaluationPayloadSchema,
    Objection: pb.decision.ObjectionPayloadSchema,
    Vote: pb.decision.VotePayloadSchema,
  },
  'macp.mode.proposal.v1': {
    Proposal: pb.proposal.ProposalPayloadSchema,
    CounterProposal: pb.proposal.CounterProposalPayloadSchema,
    Accept: pb.proposal.AcceptPayloadSchema,
    Reject: pb.proposal.RejectPayloadSchema,
    Withdraw: pb.proposal.WithdrawPayloadSchema,
  },
  'macp.mode.task.v1': {
    TaskRequest: pb.task.TaskRequestPayloadSchema,
    TaskAccept: pb.task.TaskAcceptPayloadSchema,
    TaskReject: pb.task.TaskRejectPayloadSchema,
    TaskUpdate: pb.task.TaskUpdatePayloadSchema,
    TaskComplete: pb.task.TaskCompletePayloadSchema,
    TaskFail: pb.task.TaskFailPayloadSchema,
  },
  'macp.mode.quorum.v1': {
    ApprovalRequest: pb.quorum.ApprovalRequestPayloadSchema,
    Approve: pb.quorum.ApprovePayloadSchema,
    Reject: pb.quorum.RejectPayloadSchema,
    Abstain: pb.quorum.AbstainPayloadSchema,
  },
  'ext.multi_round.v1': { Contribute: pb.multiRound.ContributePayloadSchema },
};

type Bound = Readonly<Record<string, MessageType<unknown>>>;
const pairsOf = (schemas: Readonly<Record<string, DescMessage>>, bound: Bound, mode = '') =>
  Object.entries(schemas).map(([type, schema]): [string, Pair] => {
    const binding = bound[type];
    if (!binding) throw new Error(`${type} is not bound`);
    return [mode + type, { schema, encode: (value) => binding.encode(value), decode: binding.decode }];
  });
const payloadPairs = [
  ...pairsOf(coreSchemas, corePayloadTypes),
  ...(Object.keys(modeSchemas) as ModeName[]).flatMap((mode) =>
    pairsOf(modeSchemas[mode], modePayloadTypes[mode], `${mode} `),
  ),
];

// The last two undo what our functions add to or take from the bare message, so that both sides compare.
const pairs: [string, Pair][] = [
  ...payloadPairs,
  ['Envelope', { schema: pb.EnvelopeSchema, encode: encodeEnvelope, decode: decodeEnvelope }],
  ['Ack', { schema: pb.AckSchema, encode: (ack: Ack) => encodeAck(ack), decode: decodeAck }],
  [
    'StreamRequest',
    { schema: pb.StreamSessionRequestSchema, encode: encodeStreamRequest, decode: decodeStreamRequest },
  ],
  [
    'SendRequest',
    {
      schema: pb.SendRequestSchema,
      encode: ({ envelope }: { envelope?: Parameters<typeof encodeSendRequest>[0] }) =>
        envelope === undefined ? new Uint8Array(0) : encodeSendRequest(envelope),
      decode: (bytes) => {
        const envelope = decodeSendRequest(bytes);
        return envelope === 'no-envelope' ? {} : envelope && { envelope };
      },
    },
  ],
  [
    'StreamFrame',
    {
      schema: pb.StreamSessionResponseSchema,
      encode: (value: { envelope?: never; error?: never }) =>
        value.envelope !== undefined
          ? encodeStreamFrame({ kind: 'envelope', envelope: value.envelope })
          : encodeStreamFrame(
              value.error === undefined ? { kind: 'empty' } : { kind: 'error', error: value.error },
            ),
      decode: (bytes) => {
        const frame = decodeStreamFrame(bytes);
        if (frame === undefined) return undefined;
        const { kind: _, ...rest } = frame;
        return rest;
      },
    },
  ],
];

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe.each(pairs)('%s', (_name, { schema, encode, decode }) => {
  it('decodes what protobuf-es encodes', () => {
    fc.assert(
      fc.property(arbitrary(schema), (message) => {
        expect(decode(toBinary(schema, message))).toEqual(plain(schema, message));
      }),
    );
  });

  it('encodes as protobuf-es does', () => {
    fc.assert(
      fc.property(arbitrary(schema), (message) => {
        const [ours, theirs] = [encode(plain(schema, message) as never), toBinary(schema, message)];
        // We sort maps, protobuf-es does not.
        if (schema.fields.some(({ fieldKind }) => fieldKind === 'map'))
          for (const bytes of [ours, theirs]) bytes.sort();
        expect(hex(ours)).toBe(hex(theirs));
      }),
    );
  });

  it('reads damaged bytes as the reference does', () => {
    fc.assert(
      fc.property(damaged(schema), (bytes) => {
        expect(decode(bytes)).toEqual(reference(schema, bytes));
      }),
      { numRuns: 1000 },
    );
  });
});
