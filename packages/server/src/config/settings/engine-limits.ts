/** What the engine may hold in memory, and how much disk it leaves free. */
import type { Setting } from '../setting.js';

const SAFE = Number.MAX_SAFE_INTEGER;

export const engineLimitSettings = [
  {
    name: 'HANDOVER_DISK_FLOOR_BYTES',
    kind: 'integer',
    default: '67108864',
    min: 0,
    max: SAFE,
    description: 'Nothing is accepted while less disk than this is free.',
    beyond:
      'less free: INTERNAL_ERROR with the time to wait; nothing is stored, reads go on, /ready answers 503',
  },
  {
    name: 'HANDOVER_QUEUE_MAX_COMMANDS',
    kind: 'integer',
    default: '4096',
    min: 1,
    max: 1_000_000,
    change: 'restart',
    path: 'limits.queueMaxCommands',
    description: 'Commands that may wait for the log.',
    beyond:
      'RATE_LIMITED (HTTP 429) with the time to wait; nothing was decided, retry with the same message_id',
  },
  {
    name: 'HANDOVER_QUEUE_MAX_BYTES',
    kind: 'integer',
    default: '67108864',
    min: 2_097_152,
    max: SAFE,
    description: 'Bytes of commands that may wait for the log.',
    beyond:
      'RATE_LIMITED (HTTP 429) with the time to wait; nothing was decided, retry with the same message_id',
  },
  {
    name: 'HANDOVER_TAIL_BYTES_PER_STREAM',
    kind: 'integer',
    default: '262144',
    min: 0,
    max: SAFE,
    description: 'Newest entries of one stream kept in memory for subscribers.',
    beyond: 'older entries are read from the log',
  },
  {
    name: 'HANDOVER_TAIL_BYTES_TOTAL',
    kind: 'integer',
    default: '67108864',
    min: 0,
    max: SAFE,
    description: 'The same for all streams together.',
    beyond: 'the entries of the streams that moved longest ago are read from the log',
  },
  {
    name: 'HANDOVER_SUBSCRIBER_BUDGET_BYTES',
    kind: 'integer',
    default: '4194304',
    min: 65_536,
    max: SAFE,
    change: 'restart',
    path: 'limits.subscriberBudgetBytes',
    description: 'How far a subscriber may fall behind before its stream ends, resumably.',
    beyond:
      'the call ends with STREAM_LAGGED (gRPC RESOURCE_EXHAUSTED, an `error` event over HTTP); where it can resume, it says after which sequence',
  },
  {
    name: 'HANDOVER_LISTENERS_PER_PRINCIPAL',
    kind: 'integer',
    default: '64',
    min: 1,
    max: 1_000_000,
    description: 'Calls of one identity that may listen at the same time, at all doors together.',
    beyond: 'the call is refused: RATE_LIMITED (gRPC RESOURCE_EXHAUSTED, HTTP 429, an error over MCP)',
  },
  {
    name: 'HANDOVER_LISTENERS_TOTAL',
    kind: 'integer',
    default: '16384',
    min: 1,
    max: 10_000_000,
    description: 'The same for all identities together.',
    beyond: 'the same',
  },
  {
    name: 'HANDOVER_LISTENER_BYTES_TOTAL',
    kind: 'integer',
    default: '67108864',
    min: 1_048_576,
    max: SAFE,
    description: 'Bytes that may wait to be sent, to all listeners together.',
    beyond:
      'nothing more is taken up until clients have read; one that reads nothing meanwhile is cut off with STREAM_LAGGED',
  },
] as const satisfies readonly Setting[];
