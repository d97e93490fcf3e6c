/** What connections to the gRPC port may cost. */
import type { FixedLimit } from '../fixed-limits.js';

const MIB = 1_048_576;

export const grpcConnectionLimits = {
  grpcConnections: {
    what: 'Connections to the gRPC port',
    value: 10_000,
    unit: 'count',
    beyond: 'a further one is closed at once; the log has a line a minute about it',
  },
  grpcConnectionsOfCaller: {
    what: 'Connections to the gRPC port whose first call with a valid credential had that of one caller',
    value: 1_024,
    unit: 'count',
    beyond: 'the connection is cut (GOAWAY with ENHANCE_YOUR_CALM, gRPC RESOURCE_EXHAUSTED)',
  },
  grpcConnectionsOfStrangers: {
    what: 'Connections to the gRPC port on which no call had a valid credential yet',
    value: 4_096,
    unit: 'count',
    beyond: 'the oldest of them without an open call is cut; if there is none, the new one is closed at once',
  },
  grpcConnectionsOfAddress: {
    what: 'The same of those of them that come from one address (IPv6: one /64)',
    value: 1_024,
    unit: 'count',
    beyond: 'the same, among the connections from that address',
  },
  grpcGreetingMs: {
    what: 'Time in which a gRPC connection must have begun to speak HTTP/2 (TLS included)',
    value: 15_000,
    unit: 'ms',
    beyond: 'the connection is cut',
  },
  grpcIdleStrangerMs: {
    what: 'Time for which a gRPC connection may have no open call while no call on it had a valid credential; others may be idle for as long as they answer pings',
    value: 300_000,
    unit: 'ms',
    beyond: 'the connection ends (GOAWAY without an error); clients connect again with their next call',
  },
  grpcStrangerBytes: {
    what: 'What connections without a valid credential from one address may cost at once, in bytes that become no message; a connection and a call count as 4,096 each, and a connection that shows a credential gets them back',
    value: 4 * MIB,
    unit: 'bytes',
    beyond:
      'such connections from that address are cut (GOAWAY with ENHANCE_YOUR_CALM, gRPC RESOURCE_EXHAUSTED), and new ones closed at once, until it has come back',
  },
  grpcStrangerBytesPerSecond: {
    what: 'How much of that comes back in a second',
    value: MIB,
    unit: 'bytes',
    beyond: 'the same',
  },
  grpcUselessBytesOfCaller: {
    what: 'Bytes that become no message, on the gRPC connections of one caller at once; each call takes 4,096 of its headers off',
    value: 16 * MIB,
    unit: 'bytes',
    beyond: 'the connection is cut (GOAWAY with ENHANCE_YOUR_CALM, gRPC RESOURCE_EXHAUSTED)',
  },
  grpcUselessBytesOfCallerPerSecond: {
    what: 'How much of that comes back in a second',
    value: 4 * MIB,
    unit: 'bytes',
    beyond: 'the same',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;
