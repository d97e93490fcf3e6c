/** What a connection may cost, at the doors that need no more than a look at it. */
import type { FixedLimit } from '../fixed-limits.js';

export const doorLimits = {
  bodyFreePieces: {
    what: 'Pieces in which a body over HTTP may come, however small they are',
    value: 256,
    unit: 'count',
    beyond: 'they need the mean size below',
  },
  bodyPieceBytes: {
    what: 'Mean size of further pieces',
    value: 16,
    unit: 'bytes',
    beyond: 'below it HTTP 400, and the connection is closed',
  },
  refusedPeerMs: {
    what: 'How long a peer stays connected that may not use a port without TLS',
    value: 1_000,
    unit: 'ms',
    beyond: 'the connection is cut; until then it gets 403 and nothing that it sends is parsed',
  },
  httpHeadMs: {
    what: 'Time for the head of an HTTP request to arrive (never more than MACP_REQUEST_TIMEOUT_SECS)',
    value: 15_000,
    unit: 'ms',
    beyond: '408, and the connection is closed',
  },
  httpHeaderBytes: {
    what: 'Headers of an HTTP request in all, with its first line: room for the longest credential and as much again',
    value: 32_768,
    unit: 'bytes',
    beyond: '431, and the connection is closed',
  },
  httpConnections: {
    what: 'Connections to one HTTP port',
    value: 10_000,
    unit: 'count',
    beyond:
      'the oldest one that has asked for nothing yet is closed, else the new one; the log has a line a minute about it',
  },
  httpWaitingRequests: {
    what: 'Requests that wait on one HTTP connection for the answer to the one before (pipelining)',
    value: 32,
    unit: 'count',
    beyond: 'the connection is cut; what has no answer can be sent again',
  },
  heldAnswerBytes: {
    what: 'Bytes of HTTP answers that wait for their clients, on all connections together',
    value: 134_217_728,
    unit: 'bytes',
    beyond: 'connections whose clients have taken nothing for the longest time are cut, until the rest fits',
  },
  pageBodyWithoutHeaderBytes: {
    what: 'Body of a page that does not send the secret in the Authorization header',
    value: 65_536,
    unit: 'bytes',
    beyond: '413; send the secret in the header',
  },
  pageStatusBytes: {
    what: 'Body with which a page reports a status or progress',
    value: 262_144,
    unit: 'bytes',
    beyond: '413',
  },
  localConnections: {
    what: 'Connections to the local socket',
    value: 256,
    unit: 'count',
    beyond: 'a further one is closed at once; the log has a line a minute about it',
  },
  localOpeningBytesInAll: {
    what: 'First lines on the local socket that are not whole yet, and first messages of assistants that gave no agent id',
    value: 16_777_216,
    unit: 'bytes',
    beyond: 'the connection is closed',
  },
  mcpUnfinishedBytes: {
    what: 'Messages on the local socket that are not whole yet',
    value: 67_108_864,
    unit: 'bytes',
    beyond: 'the message is dropped as it arrives, and answered with an error that says so',
  },
  mcpUnfinishedBytesOfCaller: {
    what: 'The same of one agent',
    value: 16_777_216,
    unit: 'bytes',
    beyond: 'the same',
  },
  mcpUnfinishedPieceBytes: {
    what: 'What a piece of such a message counts there at least',
    value: 256,
    unit: 'bytes',
    beyond: 'it counts as its bytes',
  },
  mcpUnfinishedMs: {
    what: 'Time for a message on the local socket to become whole',
    value: 30_000,
    unit: 'ms',
    beyond: 'the same',
  },
  localHelloBytes: {
    what: 'First line on the local socket',
    value: 8_192,
    unit: 'bytes',
    beyond: 'the connection is refused',
  },
  localHelloMs: {
    what: 'Time for the first line on the local socket',
    value: 5_000,
    unit: 'ms',
    beyond: 'the connection is refused',
  },
  captureBodyBytes: {
    what: 'What a hook or a capture tells, over the local socket and over HTTP',
    value: 1_048_576,
    unit: 'bytes',
    beyond: 'it is refused; HTTP 413',
  },
  localOpeningBytes: {
    what: 'First message of an assistant that gave no agent id, on the local socket',
    value: 1_048_576,
    unit: 'bytes',
    beyond: 'the connection is closed',
  },
  localLingerMs: {
    what: 'Time that a client of the local socket has to close its side when the server has ended the connection',
    value: 1_000,
    unit: 'ms',
    beyond: 'the connection is cut',
  },
  localOpeningLines: {
    what: 'Lines in which such an assistant must have said its name',
    value: 100,
    unit: 'count',
    beyond: 'Invalid Request with a sentence that says so, and the connection is closed',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;
