import type { SettingReader } from './setting-reader.js';

/** Every bound that an operator can set, in the unit of its name. */
export interface Limits {
  readonly maxPayloadBytes: number;
  readonly sessionStartsPerMinute: number;
  readonly messagesPerMinute: number;
  readonly requestTimeoutMs: number;
  readonly cleanupIntervalMs: number;
  readonly shutdownDrainMs: number;
  readonly listDefaultPageSize: number;
  readonly listMaxPageSize: number;
  readonly diskFloorBytes: number;
  readonly queueMaxCommands: number;
  readonly queueMaxBytes: number;
  readonly tailBytesPerStream: number;
  readonly tailBytesTotal: number;
  readonly subscriberBudgetBytes: number;
}

export function readLimits(reader: SettingReader): Limits {
  const limits: Limits = {
    maxPayloadBytes: reader.integer('MACP_MAX_PAYLOAD_BYTES'),
    sessionStartsPerMinute: reader.integer('MACP_SESSION_START_LIMIT_PER_MINUTE'),
    messagesPerMinute: reader.integer('MACP_MESSAGE_LIMIT_PER_MINUTE'),
    requestTimeoutMs: reader.integer('MACP_REQUEST_TIMEOUT_SECS') * 1000,
    cleanupIntervalMs: reader.integer('MACP_CLEANUP_INTERVAL_SECS') * 1000,
    shutdownDrainMs: reader.integer('MACP_SHUTDOWN_DRAIN_SECS') * 1000,
    listDefaultPageSize: reader.integer('MACP_LIST_SESSIONS_DEFAULT_PAGE_SIZE'),
    listMaxPageSize: reader.integer('MACP_LIST_SESSIONS_MAX_PAGE_SIZE'),
    diskFloorBytes: reader.integer('HANDOVER_DISK_FLOOR_BYTES'),
    queueMaxCommands: reader.integer('HANDOVER_QUEUE_MAX_COMMANDS'),
    queueMaxBytes: reader.integer('HANDOVER_QUEUE_MAX_BYTES'),
    tailBytesPerStream: reader.integer('HANDOVER_TAIL_BYTES_PER_STREAM'),
    tailBytesTotal: reader.integer('HANDOVER_TAIL_BYTES_TOTAL'),
    subscriberBudgetBytes: reader.integer('HANDOVER_SUBSCRIBER_BUDGET_BYTES'),
  };
  const defaultGiven = reader.isSet('MACP_LIST_SESSIONS_DEFAULT_PAGE_SIZE');
  if (limits.listDefaultPageSize <= limits.listMaxPageSize) return Object.freeze(limits);
  if (defaultGiven) {
    reader.problem(
      'MACP_LIST_SESSIONS_DEFAULT_PAGE_SIZE',
      'must not exceed MACP_LIST_SESSIONS_MAX_PAGE_SIZE',
    );
  }
  return Object.freeze({ ...limits, listDefaultPageSize: limits.listMaxPageSize });
}
