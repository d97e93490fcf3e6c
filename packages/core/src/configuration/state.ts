/** State of the configuration registry: what was changed over the environment, and what it was before. */

/** The value of a setting. Numbers are whole, so that each value has one canonical form. */
export type ConfigurationValue = string | number | boolean;

export type ConfigurationValues = Readonly<Record<string, ConfigurationValue>>;

/** Null takes a change back. */
export type ConfigurationChanges = Readonly<Record<string, ConfigurationValue | null>>;

export interface ConfigurationBackup {
  readonly id: string;
  readonly at: number;
  readonly by: string;
  readonly description: string;
  /** The server made it before a change; nobody asked for it. */
  readonly automatic: boolean;
  readonly values: ConfigurationValues;
}

export interface ConfigurationState {
  readonly values: ConfigurationValues;
  /** Oldest first. */
  readonly backups: readonly ConfigurationBackup[];
  readonly createdAt: number;
  /** Which entries and versions of entries may be written; a log without the entry is at 1. */
  readonly format?: number;
}

export type ConfigurationCommand =
  | { readonly kind: 'change'; readonly changes: ConfigurationChanges }
  | { readonly kind: 'backUp'; readonly description: string }
  | { readonly kind: 'restore'; readonly backupId: string }
  | { readonly kind: 'deleteBackup'; readonly backupId: string }
  | { readonly kind: 'raiseFormat'; readonly level: number };

export function findBackup(
  state: ConfigurationState | undefined,
  id: string,
): ConfigurationBackup | undefined {
  return state?.backups.find((backup) => backup.id === id);
}

/** The changes that lead from one to the other. */
export function changesBetween(from: ConfigurationValues, to: ConfigurationValues): ConfigurationChanges {
  const changes: Record<string, ConfigurationValue | null> = {};
  for (const key of Object.keys(from)) if (to[key] === undefined) changes[key] = null;
  for (const [key, value] of Object.entries(to)) if (from[key] !== value) changes[key] = value;
  return changes;
}
