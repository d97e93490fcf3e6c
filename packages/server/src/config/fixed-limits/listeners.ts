/** What those who listen may cost, at whatever door. */
import type { FixedLimit } from '../fixed-limits.js';

export const listenerLimits = {
  mcpAddressesPerListener: {
    what: 'Addresses that one MCP listener follows: a listen request, a session or a connection',
    value: 256,
    unit: 'count',
    beyond: 'the request is refused before anything is looked up: Invalid params, and the sentence says so',
  },
  mcpListensPerConnection: {
    what: '`subscriptions/listen` requests that one stdio connection has open',
    value: 64,
    unit: 'count',
    beyond: 'the request is refused with an error that says so',
  },
  mcpRequestsUnderWay: {
    what: 'Requests under way in one HTTP session (2025 revisions), or on one stdio connection',
    value: 256,
    unit: 'count',
    beyond: 'over HTTP 429; over stdio nothing more is read until one is answered',
  },
  mcpWaitingBytesPerConnection: {
    what: 'Bytes that wait on one stdio connection for its client; the message that passes it is still sent',
    value: 262_144,
    unit: 'bytes',
    beyond: 'nothing more is read from the client until it has taken some of them',
  },
  mcpLinesPerTurn: {
    what: 'Lines without a message, of all stdio connections together, that are looked at in one turn of the event loop',
    value: 64,
    unit: 'count',
    beyond: 'they wait for the next turn; a message has a turn of its own, and callers take turns',
  },
  mcpExpectedAnswerBytes: {
    what: 'What the answer of a call of a tool or of `resources/read` on a stdio connection counts until it is made; a quarter of it where the call waits for news',
    value: 262_144,
    unit: 'bytes',
    beyond: 'what it really has counts as soon as it is made',
  },
  mcpAnswerBytes: {
    what: 'Such answers of all stdio connections together that are being made or that clients have not taken',
    value: 67_108_864,
    unit: 'bytes',
    beyond:
      'further calls wait, and nothing more of their connections is read; who takes nothing for 2 seconds is cut',
  },
  mcpAnswerBytesOfCaller: {
    what: 'The same of one caller',
    value: 16_777_216,
    unit: 'bytes',
    beyond: 'further calls of that caller wait, and nothing more of their connections is read',
  },
  mcpRefusedLines: {
    what: 'Lines of one stdio connection in a minute that are empty or refused',
    value: 1_000,
    unit: 'count',
    beyond: 'Invalid Request with a sentence that says so, and the connection is closed',
  },
  mcpSessionsPerCaller: {
    what: 'HTTP sessions of one MCP caller (2025 revisions)',
    value: 64,
    unit: 'count',
    beyond: 'a new one closes the one that has been idle longest; when none is idle, it is refused with 429',
  },
  mcpSessionsInAll: {
    what: 'HTTP sessions of all MCP callers together (2025 revisions)',
    value: 2_048,
    unit: 'count',
    beyond: 'the same',
  },
  mcpSessionIdleMs: {
    what: 'Time without a request or an open stream after which an HTTP session ends (2025 revisions)',
    value: 1_800_000,
    unit: 'ms',
    beyond: 'the session is closed; its id gets 404, and the client starts again',
  },
  stalledStreamMs: {
    what: 'Time for which a client over HTTP, stdio or the local socket may take nothing of what it was sent',
    value: 60_000,
    unit: 'ms',
    beyond: 'the connection is cut; the client can reconnect, and resume a stream',
  },
  listenerShares: {
    what: 'Identities that together fill HANDOVER_LISTENER_BYTES_TOTAL: one of them may use only such a part of it',
    value: 8,
    unit: 'count',
    beyond: 'its listeners get nothing more until its clients have read some of what they were sent',
  },
  quietListenerMs: {
    what: 'Time for which a listener may take nothing while other identities wait for the room that it holds',
    value: 2_000,
    unit: 'ms',
    beyond: 'the call is reset (gRPC RESOURCE_EXHAUSTED)',
  },
  quietListenerOfOwnMs: {
    what: 'The same while only listeners of its own identity wait',
    value: 30_000,
    unit: 'ms',
    beyond: 'the same',
  },
  listenerReadBytes: {
    what: 'Room that a listener takes before it reads from the store, when the size of what comes is not known',
    value: 1_048_576,
    unit: 'bytes',
    beyond: 'the listener waits until there is room in HANDOVER_LISTENER_BYTES_TOTAL',
  },
  lingeringCallMs: {
    what: 'Time that a client has to read the end of a gRPC stream that the server has ended',
    value: 30_000,
    unit: 'ms',
    beyond: 'the call is reset (gRPC RESOURCE_EXHAUSTED)',
  },
  grpcWaitingBytesPerCall: {
    what: 'Bytes that wait on one gRPC stream for its client; the frame that passes it is still sent',
    value: 262_144,
    unit: 'bytes',
    beyond: 'nothing more is sent until the client has read; then HANDOVER_SUBSCRIBER_BUDGET_BYTES counts',
  },
  grpcUnaryRoom: {
    what: 'HTTP/2 streams that a gRPC connection has for unary calls, besides MACP_MAX_CONCURRENT_STREAMS',
    value: 1_024,
    unit: 'count',
    beyond: 'further calls wait in the client until one is answered',
  },
  grpcStreamsWithoutCredential: {
    what: 'Open gRPC streams of health and reflection, which ask for no credential, in all',
    value: 256,
    unit: 'count',
    beyond: 'RESOURCE_EXHAUSTED; `Check` still answers',
  },
  grpcSilentConnectionMs: {
    what: 'Time in which a gRPC connection must answer a ping; one is sent every 30 seconds',
    value: 20_000,
    unit: 'ms',
    beyond: 'the connection is cut',
  },
  watchedSessionsPage: {
    what: 'Sessions that WatchSessions reads at a time when it begins',
    value: 32,
    unit: 'count',
    beyond: 'the next page is read when the client has taken the one before',
  },
  feedTailEntries: {
    what: 'Newest entries of the log that are kept in memory for followers, without payloads',
    value: 4_096,
    unit: 'count',
    beyond: 'older ones are read from the store',
  },
  feedTailBytes: {
    what: 'Bytes of these entries',
    value: 8_388_608,
    unit: 'bytes',
    beyond: 'the same',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;
