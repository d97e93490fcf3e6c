import type { SettingReader } from './setting-reader.js';
import type { engineLimitSettings } from './settings/engine-limits.js';
import type { requestLimitSettings } from './settings/request-limits.js';
import type { RestartSetting } from './settings.js';
import { type Wiring, wired } from './wiring.js';

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
  readonly listenersPerPrincipal: number;
  readonly listenersTotal: number;
  readonly listenerBytesTotal: number;
}

type LimitSetting =
  // `Configuration.grpc` holds this one.
  | Exclude<(typeof requestLimitSettings)[number], { name: 'MACP_MAX_CONCURRENT_STREAMS' }>
  | (typeof engineLimitSettings)[number]
  // Settings that wait for a restart belong here, wherever they are declared: at the start `startingLimits` replaces
  // them with their recorded values.
  | RestartSetting;

const same = (value: number): number => value;
const seconds = (value: number): number => value * 1_000;

export const limitWiring = {
  MACP_MAX_PAYLOAD_BYTES: { field: 'maxPayloadBytes', from: same },
  MACP_SESSION_START_LIMIT_PER_MINUTE: { field: 'sessionStartsPerMinute', from: same },
  MACP_MESSAGE_LIMIT_PER_MINUTE: { field: 'messagesPerMinute', from: same },
  MACP_REQUEST_TIMEOUT_SECS: { field: 'requestTimeoutMs', from: seconds },
  MACP_CLEANUP_INTERVAL_SECS: { field: 'cleanupIntervalMs', from: seconds },
  MACP_SHUTDOWN_DRAIN_SECS: { field: 'shutdownDrainMs', from: seconds },
  MACP_LIST_SESSIONS_DEFAULT_PAGE_SIZE: { field: 'listDefaultPageSize', from: same },
  MACP_LIST_SESSIONS_MAX_PAGE_SIZE: { field: 'listMaxPageSize', from: same },
  HANDOVER_DISK_FLOOR_BYTES: { field: 'diskFloorBytes', from: same },
  HANDOVER_QUEUE_MAX_COMMANDS: { field: 'queueMaxCommands', from: same },
  HANDOVER_QUEUE_MAX_BYTES: { field: 'queueMaxBytes', from: same },
  HANDOVER_TAIL_BYTES_PER_STREAM: { field: 'tailBytesPerStream', from: same },
  HANDOVER_TAIL_BYTES_TOTAL: { field: 'tailBytesTotal', from: same },
  HANDOVER_SUBSCRIBER_BUDGET_BYTES: { field: 'subscriberBudgetBytes', from: same },
  HANDOVER_LISTENERS_PER_PRINCIPAL: { field: 'listenersPerPrincipal', from: same },
  HANDOVER_LISTENERS_TOTAL: { field: 'listenersTotal', from: same },
  HANDOVER_LISTENER_BYTES_TOTAL: { field: 'listenerBytesTotal', from: same },
} as const satisfies Wiring<LimitSetting, Limits>;

export function readLimits(reader: SettingReader): Limits {
  const limits: Limits = wired(limitWiring, (name) => reader.integer(name));
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
