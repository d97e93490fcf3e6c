/** How much of what comes from outside is read, parsed and held: rows of the table of fixed limits, and their use. */
import type { FixedLimit } from './fixed-limits.js';

const MIB = 1_048_576;

export const jsonFixedLimits = {
  jsonBytes: {
    what: 'JSON that is parsed beside everything else',
    value: MIB,
    unit: 'bytes',
    beyond:
      'a bundle goes to a thread of its own, and a long text in a message of few values has a limit of its own; all else is refused: HTTP 413, PAYLOAD_TOO_LARGE',
  },
  jsonValues: {
    what: 'Values and names in JSON that is parsed beside everything else',
    value: 10_000,
    unit: 'count',
    beyond: 'the same; a stream of a local connection gets a JSON-RPC error',
  },
  longTextBytes: {
    what: 'JSON of few values: a long text in a small message',
    value: 2 * MIB,
    unit: 'bytes',
    beyond: 'HTTP 413, PAYLOAD_TOO_LARGE',
  },
  longTextValues: {
    what: 'Values and names in such JSON',
    value: 1_000,
    unit: 'count',
    beyond: 'it has the limit of all other JSON',
  },
  jsonLevels: {
    what: 'Levels of JSON in bodies of HTTP and of pages, and in context and metadata over MCP',
    value: 32,
    unit: 'count',
    beyond: 'HTTP 400, VALIDATION_ERROR over MCP',
  },
  bindingJsonLevels: {
    what: 'Levels of JSON in bodies of `/macp/v1`',
    value: 64,
    unit: 'count',
    beyond: 'HTTP 400, INVALID_REQUEST',
  },
  mcpLevels: {
    what: 'Levels of a message over MCP',
    value: 1_000,
    unit: 'count',
    beyond: 'HTTP 413; a JSON-RPC error over stdio',
  },
  mcpMessageBytes: {
    what: 'A message over MCP',
    value: 4 * MIB,
    unit: 'bytes',
    beyond: 'HTTP 413; over the local socket a JSON-RPC error, and the rest of the line is dropped',
  },
  mcpBatch: {
    what: 'Messages in one body over MCP (revisions that know batches)',
    value: 50,
    unit: 'count',
    beyond: 'HTTP 413',
  },
  strangerBodyBytes: {
    what: 'Body of a request without a valid credential, and message of such a gRPC call',
    value: 65_536,
    unit: 'bytes',
    beyond: 'UNAUTHENTICATED (HTTP 401) before more is read',
  },
  heldBodyBytes: {
    what: 'Bodies of HTTP requests that are held at the same time',
    value: 64 * MIB,
    unit: 'bytes',
    beyond: 'HTTP 503 with Retry-After',
  },
  heldBodyBytesOfCaller: {
    what: 'The same of one caller',
    value: 16 * MIB,
    unit: 'bytes',
    beyond: 'HTTP 503 with Retry-After',
  },
  heldBodyBytesOfStrangers: {
    what: 'The same of all callers without a valid credential together',
    value: 16 * MIB,
    unit: 'bytes',
    beyond:
      'of the bodies that are still arriving, the oldest is given up: HTTP 503 with Retry-After; callers with a credential are not affected',
  },
  heldBodyBytesOfAddress: {
    what: 'The same of those of them that have one address (IPv6: one /64)',
    value: 4 * MIB,
    unit: 'bytes',
    beyond: 'the same, for the bodies from that address',
  },
  largeValues: {
    what: 'Values and names in JSON that goes to a thread of its own',
    value: 200_000,
    unit: 'count',
    beyond: 'HTTP 413, PAYLOAD_TOO_LARGE',
  },
  largeJobMs: {
    what: 'How long that thread may work on one document; where the system does not count that (other than Linux), how long it may take',
    value: 10_000,
    unit: 'ms',
    beyond:
      'the thread is ended and the request refused: VALIDATION_ERROR over MCP, 413 over HTTP; after six times as long without enough work, on a busy machine: try again later',
  },
  largeJobHeapBytes: {
    what: 'Heap of that thread',
    value: 96 * MIB,
    unit: 'bytes',
    beyond: 'the same',
  },
  largeJobsWaiting: {
    what: 'Documents that wait for that thread',
    value: 32,
    unit: 'count',
    beyond: 'RATE_LIMITED (HTTP 429): try again in a moment',
  },
  largeJobsWaitingOfCaller: {
    what: 'The same of one caller',
    value: 4,
    unit: 'count',
    beyond: 'RATE_LIMITED (HTTP 429): try again in a moment',
  },
  rpcBytes: {
    what: 'An answer of an RPC',
    value: 4 * MIB,
    unit: 'bytes',
    beyond: 'it counts as no answer: the chain is asked again later',
  },
  rpcValues: {
    what: 'Values and names in an answer of an RPC',
    value: 50_000,
    unit: 'count',
    beyond: 'the same',
  },
  payloadFields: {
    what: 'Fields in the payload of a MACP message: participants, roots, extensions and all others',
    value: 2_048,
    unit: 'count',
    beyond: 'INVALID_ENVELOPE',
  },
  grpcRequestBytes: {
    what: 'A gRPC request that is no envelope',
    value: 262_144,
    unit: 'bytes',
    beyond: 'RESOURCE_EXHAUSTED',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;

const { jsonBytes, jsonValues, longTextBytes, longTextValues } = jsonFixedLimits;

/** What the main thread parses; `bytes` where a door takes less. */
export function jsonLimits(depth: number, bytes: number = longTextBytes.value) {
  return {
    depth,
    values: jsonValues.value,
    bytes: Math.min(bytes, jsonBytes.value),
    longer: { bytes, values: longTextValues.value },
  };
}
