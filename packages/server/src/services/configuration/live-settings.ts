/** Turns values by name into what the rest of the server uses: typed, in milliseconds and bytes. */
import type { ConfigurationValues, Lifetimes } from '@handover/core';
import { changeableSettings, restartNames, shownName } from '../../config/changeable.js';
import { type Limits, limitWiring } from '../../config/read-limits.js';
import type { LiveSetting } from '../../config/settings.js';
import { only, type Wiring, wired } from '../../config/wiring.js';
import type { LogLevel } from '../../observe/log.js';
import type { LiveSettings } from './types.js';

type LiveFields = Omit<LiveSettings, 'lifetimes'> & Lifetimes;

const same = (value: number): number => value;
const days = (value: number): number => value * 86_400_000;

const liveWiring = {
  MACP_LOG_LEVEL: { field: 'logLevel', from: (level: LogLevel) => level },
  RETENTION_DORMANT_SESSION_THRESHOLD_DAYS: { field: 'dormantAfterMs', from: days },
  RETENTION_SESSION_EXPIRATION_DAYS: { field: 'expireAfterMs', from: days },
  RETENTION_ARCHIVE_AFTER_DAYS: { field: 'archiveAfterMs', from: days },
  RETENTION_PURGE_ARCHIVED_DAYS: { field: 'purgeAfterMs', from: days },
  MACP_SESSION_START_LIMIT_PER_MINUTE: { field: 'sessionStartsPerMinute', from: same },
  MACP_MESSAGE_LIMIT_PER_MINUTE: { field: 'messagesPerMinute', from: same },
  HANDOVER_QUOTA_BYTES_AGENT: { field: 'quotaBytesAgent', from: same },
  HANDOVER_QUOTA_BYTES_TENANT: { field: 'quotaBytesTenant', from: same },
  MACP_MAX_PAYLOAD_BYTES: { field: 'maxPayloadBytes', from: same },
  HANDOVER_MAX_CONTENT_BYTES: { field: 'maxContentBytes', from: same },
  HANDOVER_PACKAGE_TOKEN_BUDGET: { field: 'packageTokenBudget', from: same },
  HANDOVER_HANDOFF_TTL_SECS: { field: 'handoffTtlMs', from: (seconds: number) => seconds * 1_000 },
  MCP_SERVER_NAME: { field: 'serverName', from: (name: string) => name },
} as const satisfies Wiring<LiveSetting, LiveFields>;

export function liveSettingsOf(values: ConfigurationValues): LiveSettings {
  const fields = wired(liveWiring, (name) => valueIn(values, name));
  const { dormantAfterMs, expireAfterMs, archiveAfterMs, purgeAfterMs, ...rest } = fields;
  const lifetimes = Object.freeze({ dormantAfterMs, expireAfterMs, archiveAfterMs, purgeAfterMs });
  return Object.freeze({ ...rest, lifetimes });
}

/** The limits, with the recorded values of those that are read only at the start. */
export function startingLimits(limits: Limits, values: ConfigurationValues): Limits {
  const recorded = wired(only(limitWiring, restartNames), (name) => valueIn(values, name));
  return Object.freeze({ ...limits, ...recorded });
}

const shownNames: ReadonlyMap<string, string> = new Map(
  changeableSettings.map((setting) => [setting.name, shownName(setting)]),
);
const valueIn = (values: ConfigurationValues, name: string) => values[shownNames.get(name) ?? name];
