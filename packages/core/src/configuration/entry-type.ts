/** The entries of the configuration. Words of the log: none is ever changed. */
export const ConfigurationEntryType = {
  Changed: 'ConfigurationChanged',
  BackedUp: 'ConfigurationBackedUp',
  BackupDeleted: 'ConfigurationBackupDeleted',
  FormatRaised: 'FormatRaised',
} as const;
export type ConfigurationEntryType = (typeof ConfigurationEntryType)[keyof typeof ConfigurationEntryType];
