import { FaultCode, HandoverError } from '../fault.js';
import type { EntryHead } from '../log/entry.js';
import { ConfigurationEntryType } from './entry-type.js';
import type {
  ConfigurationBackup,
  ConfigurationChanges,
  ConfigurationState,
  ConfigurationValue,
  ConfigurationValues,
} from './state.js';

/** How many automatic backups are kept; the oldest go first. */
export const KEPT_AUTOMATIC_BACKUPS = 50;

export function evolveConfiguration(
  state: ConfigurationState | undefined,
  entry: EntryHead,
): ConfigurationState {
  const { values = {}, backups = [], createdAt = entry.at, format } = state ?? {};
  const { facts } = entry;
  const kept = { createdAt, ...(format !== undefined && { format }) };
  const id = String(facts.backup_id);
  switch (entry.type) {
    case ConfigurationEntryType.Changed:
      return {
        values: changed(values, facts.changes as ConfigurationChanges),
        backups: bounded([...backups, backupOf(entry, id, values, true)]),
        ...kept,
      };
    case ConfigurationEntryType.BackedUp:
      return { values, backups: [...backups, backupOf(entry, id, values, false)], ...kept };
    case ConfigurationEntryType.BackupDeleted:
      return { values, backups: backups.filter((backup) => backup.id !== id), ...kept };
    case ConfigurationEntryType.FormatRaised:
      return { values, backups, createdAt, format: Number(facts.level) };
    default:
      throw new HandoverError(
        FaultCode.DATA_LOSS,
        `configuration entry ${entry.seq} has unknown type ${entry.type}`,
      );
  }
}

function changed(values: ConfigurationValues, changes: ConfigurationChanges): ConfigurationValues {
  const next: Record<string, ConfigurationValue> = { ...values };
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) delete next[key];
    else next[key] = value;
  }
  return next;
}

function backupOf(
  { at, actor, facts }: EntryHead,
  id: string,
  values: ConfigurationValues,
  automatic: boolean,
): ConfigurationBackup {
  const description = typeof facts.description === 'string' ? facts.description : 'before a change';
  return { id, at, by: actor, description, automatic, values };
}

function bounded(backups: readonly ConfigurationBackup[]): readonly ConfigurationBackup[] {
  const automatic = backups.filter((backup) => backup.automatic);
  const [oldest] = automatic;
  return automatic.length > KEPT_AUTOMATIC_BACKUPS ? backups.filter((backup) => backup !== oldest) : backups;
}
