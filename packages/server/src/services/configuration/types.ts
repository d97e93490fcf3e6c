/**
 * The configuration as administrators see it: the settings that can be changed while the server runs, who
 * changed them, and backups. Doors translate to and from this.
 *
 * N1. A change is all or nothing, durable before it acts, and recorded under the name of whoever asked.
 * N2. Secrets are shown as `[redacted]`, to administrators only, and can never be changed here.
 * N3. Only keys that act are listed. A recorded change wins over the environment; `null` takes it back.
 * N4. The settings are the server's, so only the tenant `default` may change them.
 */
import type { JsonObject, Lifetimes } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { LogLevel } from '../../observe/log.js';
import type { Outcome } from '../outcome.js';

/** Null: a secret that is not set. */
export type SettingValue = string | number | boolean | null;

export interface ConfigurationView {
  /** Under the spelling that was asked for; without keys, under the names by which settings are shown. */
  readonly configuration: Readonly<Record<string, SettingValue>>;
  /** What has been recorded and waits for a restart, by shown name; absent: nothing. */
  readonly staged?: Readonly<Record<string, SettingValue>>;
  readonly timestamp: number;
}

export interface ConfigurationUpdate {
  /** By environment name, shown name or dotted path. Null: back to what the environment says. */
  readonly updates: JsonObject;
  readonly options?: {
    /** Checks everything and changes nothing. */
    readonly validateOnly?: boolean;
    /** Absent or true: keys that need a restart wait for one. False: they are refused. */
    readonly restartRequired?: boolean;
  };
}

export interface UpdateResult {
  readonly success: true;
  /** True: at least one of the changes acts only after a restart. */
  readonly restartRequired: boolean;
}

export type BackupAction = 'create' | 'restore' | 'list' | 'delete';

export interface BackupRequest {
  readonly action: BackupAction;
  readonly backupId?: string;
  readonly options?: { readonly description?: string; readonly restartRequired?: boolean };
}

export interface BackupView {
  readonly backupId: string;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly description: string;
  /** Made by the server before a change. */
  readonly automatic: boolean;
  /** The recorded changes at that time, by shown name. */
  readonly values: Readonly<Record<string, SettingValue>>;
}

export interface BackupResult {
  readonly success: true;
  /** After create, the new backup; after restore and delete, the one that was named. */
  readonly backupId?: string;
  /** After list only, newest first. */
  readonly backups?: readonly BackupView[];
  /** After restore only. */
  readonly restartRequired?: boolean;
}

export interface ConfigurationService {
  get(principal: Principal, args: { keys?: readonly string[] }): Promise<Outcome<ConfigurationView>>;
  /** A wrong update is refused with VALIDATION_ERROR, whose details hold `validationErrors` and `restartRequired`. */
  update(principal: Principal, args: ConfigurationUpdate): Promise<Outcome<UpdateResult>>;
  backup(principal: Principal, args: BackupRequest): Promise<Outcome<BackupResult>>;
}

/** The values that act now. Ask again for each use: they change while the server runs. */
export interface LiveSettings {
  readonly logLevel: LogLevel;
  /** Of working sessions. */
  readonly lifetimes: Lifetimes;
  readonly sessionStartsPerMinute: number;
  readonly messagesPerMinute: number;
  readonly maxPayloadBytes: number;
  /** Bytes of payload in the log; 0: any number. */
  readonly quotaBytesAgent: number;
  readonly quotaBytesTenant: number;
  /** Of one context entry's content, in UTF-8. */
  readonly maxContentBytes: number;
  /** For the summary in a handoff's package. */
  readonly packageTokenBudget: number;
  /** How long an offer made by requestHandoff stands. */
  readonly handoffTtlMs: number;
  /** The name of the server that MCP clients are told. */
  readonly serverName: string;
}

export type SettingsNow = () => LiveSettings;
