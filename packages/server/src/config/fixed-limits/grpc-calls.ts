/** What gRPC calls may cost before they begin, and after they were answered. */
import type { FixedLimit } from '../fixed-limits.js';

const MIB = 1_048_576;

export const grpcCallLimits = {
  grpcArrivingBytes: {
    what: 'Messages of gRPC requests that have arrived, in part or whole, and whose calls have not begun',
    value: 64 * MIB,
    unit: 'bytes',
    beyond: 'RESOURCE_EXHAUSTED with `RATE_LIMITED` and retry-after',
  },
  grpcArrivingBytesOfCaller: {
    what: 'The same of one caller',
    value: 16 * MIB,
    unit: 'bytes',
    beyond: 'the same',
  },
  grpcArrivingBytesOfStrangers: {
    what: 'The same of all callers without a valid credential together',
    value: 16 * MIB,
    unit: 'bytes',
    beyond: 'the same, for the one of these calls that has waited longest',
  },
  grpcArrivingBytesOfAddress: {
    what: 'The same of those of them that have one address (IPv6: one /64)',
    value: 4 * MIB,
    unit: 'bytes',
    beyond: 'the same, for the calls from that address',
  },
  grpcArrivingCallBytes: {
    what: 'What a gRPC call counts there at least, from its headers on',
    value: 4_096,
    unit: 'bytes',
    beyond: 'it counts as its bytes',
  },
  grpcArrivingPieceBytes: {
    what: 'What a piece of a gRPC message counts there at least',
    value: 256,
    unit: 'bytes',
    beyond: 'it counts as its bytes',
  },
  grpcArrivingOfStranger: {
    what: 'Calls without a valid credential whose message has not arrived, on one gRPC connection',
    value: 256,
    unit: 'count',
    beyond: 'RESOURCE_EXHAUSTED with `RATE_LIMITED` and retry-after',
  },
  grpcStatusTextBytes: {
    what: 'The text of a gRPC status, as it is sent',
    value: 1_024,
    unit: 'bytes',
    beyond: 'it is cut, and ends in `(cut)`',
  },
  grpcDetailsTrailerBytes: {
    what: 'MACPError.details in the trailer `macp-error-details-bin`',
    value: 2_048,
    unit: 'bytes',
    beyond: 'the trailer is left out; the Ack has them all',
  },
  grpcCallsPerTurn: {
    what: 'gRPC calls that begin in one turn of the event loop; a list counts as so many',
    value: 32,
    unit: 'count',
    beyond: 'the others begin in the next turns; connections, and callers, take turns',
  },
  grpcAnswerBytes: {
    what: 'Answers of gRPC calls that are being made or that clients have not taken',
    value: 64 * MIB,
    unit: 'bytes',
    beyond: 'further calls wait, and get DEADLINE_EXCEEDED after MACP_REQUEST_TIMEOUT_SECS',
  },
  grpcAnswerBytesOfCaller: {
    what: 'The same of one caller; the list of sessions counts as so many, and so there is one at a time',
    value: 4 * MIB,
    unit: 'bytes',
    beyond: 'the same',
  },
  grpcAnswerBytesOfStranger: {
    what: 'The same of one gRPC connection without a valid credential',
    value: 262_144,
    unit: 'bytes',
    beyond: 'the same',
  },
  grpcStalledAnswerMs: {
    what: 'Time for which a client may leave the answer of a gRPC call untaken; 2 seconds while others wait for the room',
    value: 30_000,
    unit: 'ms',
    beyond: 'the call is reset (gRPC RESOURCE_EXHAUSTED)',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;
