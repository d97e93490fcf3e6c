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
    beyond: 'INTERNAL_ERROR, with the time to wait; nothing was stored',
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
    beyond: 'RATE_LIMITED, with the time to wait; nothing was decided',
  },
  {
    name: 'HANDOVER_QUEUE_MAX_BYTES',
    kind: 'integer',
    default: '67108864',
    min: 2_097_152,
    max: SAFE,
    description: 'Bytes of commands that may wait for the log.',
    beyond: 'RATE_LIMITED, with the time to wait; nothing was decided',
  },
  {
    name: 'HANDOVER_TAIL_BYTES_PER_STREAM',
    kind: 'integer',
    default: '262144',
    min: 0,
    max: SAFE,
    description: 'Newest entries of one stream kept in memory for subscribers.',
    beyond: 'older entries are read from the store',
  },
  {
    name: 'HANDOVER_TAIL_BYTES_TOTAL',
    kind: 'integer',
    default: '67108864',
    min: 0,
    max: SAFE,
    description: 'The same for all streams together.',
    beyond: 'older entries are read from the store',
  },
  {
    name: 'HANDOVER_SUBSCRIBER_BUDGET_BYTES',
    kind: 'integer',
    default: '1048576',
    min: 65_536,
    max: SAFE,
    change: 'restart',
    path: 'limits.subscriberBudgetBytes',
    description: 'How far a subscriber may fall behind before its stream ends, resumably.',
  },
] as const satisfies readonly Setting[];
