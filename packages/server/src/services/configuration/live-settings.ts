/** Values by name, as the rest of the server wants them: typed, in milliseconds and bytes. */
import type { ConfigurationValues } from '@handover/core';
import { defaultValues } from '../../config/changeable.js';
import type { Limits } from '../../config/read-limits.js';
import type { LogLevel } from '../../observe/log.js';
import type { LiveSettings } from './types.js';

const DAY_MS = 86_400_000;

export function liveSettingsOf(values: ConfigurationValues): LiveSettings {
  const number = (name: string) => Number(values[name]);
  const days = (name: string) => number(`RETENTION_${name}_DAYS`) * DAY_MS;
  return Object.freeze({
    logLevel: String(values.LOG_LEVEL) as LogLevel,
    lifetimes: Object.freeze({
      dormantAfterMs: days('DORMANT_SESSION_THRESHOLD'),
      expireAfterMs: days('SESSION_EXPIRATION'),
      archiveAfterMs: days('ARCHIVE_AFTER'),
      purgeAfterMs: days('PURGE_ARCHIVED'),
    }),
    sessionStartsPerMinute: number('MACP_SESSION_START_LIMIT_PER_MINUTE'),
    messagesPerMinute: number('MACP_MESSAGE_LIMIT_PER_MINUTE'),
    maxPayloadBytes: number('MACP_MAX_PAYLOAD_BYTES'),
    maxContentBytes: number('HANDOVER_MAX_CONTENT_BYTES'),
    packageTokenBudget: number('HANDOVER_PACKAGE_TOKEN_BUDGET'),
    handoffTtlMs: number('HANDOVER_HANDOFF_TTL_SECS') * 1_000,
    serverName: String(values.MCP_SERVER_NAME),
  });
}

/** The settings of a server whose environment says nothing; for tests. */
export const defaultLiveSettings = (): LiveSettings => liveSettingsOf(defaultValues());

/** The limits with what was recorded for those that are read once, at the start. */
export function startingLimits(limits: Limits, values: ConfigurationValues): Limits {
  const number = (name: string) => Number(values[name]);
  return Object.freeze({
    ...limits,
    requestTimeoutMs: number('MACP_REQUEST_TIMEOUT_SECS') * 1_000,
    cleanupIntervalMs: number('MACP_CLEANUP_INTERVAL_SECS') * 1_000,
    queueMaxCommands: number('HANDOVER_QUEUE_MAX_COMMANDS'),
    subscriberBudgetBytes: number('HANDOVER_SUBSCRIBER_BUDGET_BYTES'),
  });
}
