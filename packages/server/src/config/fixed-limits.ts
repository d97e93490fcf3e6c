/**
 * The limits that no setting changes, as data: the code that enforces one takes its value from here, and
 * docs/running/limits.md shows them all.
 */
import { jsonFixedLimits } from './json-limits.js';

export interface FixedLimit {
  readonly what: string;
  readonly value: number;
  readonly unit: 'bytes' | 'ms' | 'count';
  /** What happens beyond it, with the code that the caller gets. */
  readonly beyond: string;
}

const MIB = 1024 * 1024;

export const fixedLimits = {
  ...jsonFixedLimits,
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
    what: 'Time for which a client of server-sent events, of MACP or MCP, may take nothing of what it was sent',
    value: 60_000,
    unit: 'ms',
    beyond: 'the connection is cut; the client can reconnect and resume',
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
  refusedPeerMs: {
    what: 'How long a peer stays connected that may not use a port without TLS',
    value: 1_000,
    unit: 'ms',
    beyond: 'the connection is cut; until then it gets 403 and nothing that it sends is parsed',
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
  jwtBytes: {
    what: 'Length of a JWT',
    value: 16_384,
    unit: 'bytes',
    beyond: 'UNAUTHENTICATED; it is not read',
  },
  jwksKeys: {
    what: 'Keys in a key set: every one may have to be tried on a forged token',
    value: 32,
    unit: 'count',
    beyond: 'the key set is refused: at the start, or, when it was fetched, the keys from before stay in use',
  },
  jwksBytes: {
    what: 'Size of a key set that is fetched',
    value: 262_144,
    unit: 'bytes',
    beyond: 'the key set is not read; the keys from before stay in use',
  },
  jwksFetchMs: {
    what: 'Time for fetching a key set',
    value: 5_000,
    unit: 'ms',
    beyond: 'the keys from before stay in use for an hour, then every JWT is UNAUTHENTICATED',
  },
  staticTokenBytes: {
    what: 'Length of a static token',
    value: 4_096,
    unit: 'bytes',
    beyond: 'the server does not start',
  },
  shortestStaticTokenBytes: {
    what: 'Length of a static token, at least',
    value: 24,
    unit: 'bytes',
    beyond: 'shorter: a server that others can reach does not start, one on loopback warns',
  },
  chainRequestMs: {
    what: 'One request to the RPC of a chain',
    value: 10_000,
    unit: 'ms',
    beyond: 'the request is given up and counts as a failure of the RPC; nothing was learned',
  },
  chainAnswerBytes: {
    what: 'One answer of the RPC of a chain',
    value: 8 * MIB,
    unit: 'bytes',
    beyond: 'the answer is not read; nothing was learned',
  },
  chainRequestsAtOnce: {
    what: 'Requests to one RPC at a time',
    value: 4,
    unit: 'count',
    beyond: 'further requests wait for their turn; those who ask take turns',
  },
  chainRequestsWaiting: {
    what: 'Requests that wait for one RPC',
    value: 256,
    unit: 'count',
    beyond:
      'a read is refused with HANDOFF_FAILED, or says that the chain could not be read; a claim is looked at later',
  },
  chainFailuresInARow: {
    what: 'Failures in a row after which an RPC is left alone',
    value: 3,
    unit: 'count',
    beyond:
      'the RPC is asked nothing during a pause, and then one question; reads are refused at once with the time to wait',
  },
  chainFirstPauseMs: {
    what: 'First pause of an RPC that fails; each further one is twice as long',
    value: 1_000,
    unit: 'ms',
    beyond: 'one question is asked; if it is answered, everything goes on',
  },
  chainLongestPauseMs: {
    what: 'Longest pause of an RPC that fails',
    value: 60_000,
    unit: 'ms',
    beyond: 'pauses do not get longer',
  },
  chainReadMs: {
    what: 'How long a tool or a page waits for a chain in all',
    value: 5_000,
    unit: 'ms',
    beyond: 'the answer says what could not be read, or is HANDOFF_FAILED',
  },
  chainLooksAtOnce: {
    what: 'Records of one chain whose claims are checked at a time',
    value: 2,
    unit: 'count',
    beyond: 'further records wait for their turn; those who made them take turns',
  },
  chainLookMs: {
    what: 'One check of the claims of a record',
    value: 60_000,
    unit: 'ms',
    beyond: 'the check is given up and made again later',
  },
  webhooksPending: {
    what: 'Deliveries of webhooks that wait',
    value: 10_000,
    unit: 'count',
    beyond:
      'the log is read no further for webhooks until one is delivered or given up; nothing is lost and nobody waits',
  },
  webhooksDead: {
    what: 'Deliveries of webhooks that were given up and are kept to be looked at',
    value: 1_000,
    unit: 'count',
    beyond: 'the oldest is forgotten',
  },
  webhookRequestsPerAddress: {
    what: 'Deliveries to one address at a time',
    value: 4,
    unit: 'count',
    beyond: 'further ones wait',
  },
  webhookRequestMs: {
    what: 'One attempt to deliver a webhook',
    value: 15_000,
    unit: 'ms',
    beyond: 'the attempt counts as failed and is made again later',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;
