/** How large, how often and how long: limits of requests. */
import type { Setting } from '../setting.js';
import { MAX_SECONDS } from './max-seconds.js';

export const requestLimitSettings = [
  {
    name: 'MACP_MAX_PAYLOAD_BYTES',
    kind: 'integer',
    default: '1048576',
    min: 1,
    max: 1_048_576,
    change: 'live',
    path: 'limits.maxPayloadBytes',
    description: 'Largest payload; the protocol cap of 1 MiB can only be lowered.',
    beyond:
      'PAYLOAD_TOO_LARGE (HTTP 413). Over HTTP the body of an envelope may have as much in base64 and 128 KiB more: 1,529,176 bytes by default',
  },
  {
    name: 'MACP_SESSION_START_LIMIT_PER_MINUTE',
    kind: 'integer',
    default: '60',
    devDefault: '6000',
    min: 1,
    max: 1_000_000,
    change: 'live',
    path: 'limits.sessionStartsPerMinute',
    description:
      'Session starts per sender in any 60 seconds; one with more than a hundred names counts once for each hundred.',
    beyond: 'RATE_LIMITED (HTTP 429) with the time to wait; a refused request takes nothing from the limit',
  },
  {
    name: 'MACP_MESSAGE_LIMIT_PER_MINUTE',
    kind: 'integer',
    default: '600',
    devDefault: '60000',
    min: 1,
    max: 1_000_000,
    change: 'live',
    path: 'limits.messagesPerMinute',
    description: 'Other messages per sender in any 60 seconds; as many answers that change nothing.',
    beyond:
      'RATE_LIMITED, with the time to wait; answers, claims, Commitments, cancelling and resuming are taken all the same, ' +
      'until as many of them have changed nothing',
  },
  {
    name: 'MACP_MAX_CONCURRENT_STREAMS',
    kind: 'integer',
    default: '1024',
    min: 1,
    max: 2_147_483_647,
    description: 'Streams and watches that one gRPC connection may have open.',
    beyond: 'the call is refused: RATE_LIMITED (gRPC RESOURCE_EXHAUSTED); unary calls go on',
  },
  {
    name: 'MACP_REQUEST_TIMEOUT_SECS',
    kind: 'integer',
    default: '30',
    min: 1,
    max: MAX_SECONDS,
    change: 'restart',
    path: 'limits.requestTimeoutSecs',
    description: 'Time limit of one unary request.',
    beyond:
      'DEADLINE_EXCEEDED, over HTTP 503 (408 while the body is still arriving); retry with the same message_id',
  },
  {
    name: 'MACP_LIST_SESSIONS_DEFAULT_PAGE_SIZE',
    kind: 'integer',
    default: '100',
    min: 1,
    max: 10_000,
    description: 'Page size when a list asks for none.',
    beyond: 'next_page_token says where to go on',
  },
  {
    name: 'MACP_LIST_SESSIONS_MAX_PAGE_SIZE',
    kind: 'integer',
    default: '1000',
    min: 1,
    max: 10_000,
    description: 'Largest page that a list answers.',
    beyond: 'the page is no larger; the page token leads to the rest',
  },
  {
    name: 'MACP_CLEANUP_INTERVAL_SECS',
    kind: 'integer',
    default: '60',
    min: 1,
    max: MAX_SECONDS,
    change: 'restart',
    path: 'limits.cleanupIntervalSecs',
    description: 'How often sessions past their deadline are looked for, beside the timers.',
  },
  {
    name: 'MACP_SHUTDOWN_DRAIN_SECS',
    kind: 'integer',
    default: '10',
    min: 0,
    max: 3_600,
    description: 'How long open requests may take to finish after SIGINT, SIGTERM or SIGHUP.',
    beyond: 'connections are cut off; what was acknowledged is stored',
  },
] as const satisfies readonly Setting[];
