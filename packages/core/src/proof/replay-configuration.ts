/** Entries of the configuration registry as the requests that made them. */

import { configurationDecider } from '../configuration/configuration-decider.js';
import { ConfigurationEntryType } from '../configuration/entry-type.js';
import type {
  ConfigurationChanges,
  ConfigurationCommand,
  ConfigurationState,
} from '../configuration/state.js';
import { isFields } from '../fields.js';
import type { Entry } from '../log/entry.js';
import type { Question, Replay } from './replay.js';

export const configurationReplay: Replay<ConfigurationState, ConfigurationCommand> = {
  decider: configurationDecider,
  retell(state, entry): Question<ConfigurationState, ConfigurationCommand> | string {
    const command = commandOf(entry);
    return typeof command === 'string' ? command : { state, command, consulted: {} };
  },
};

function commandOf({ type, facts }: Entry): ConfigurationCommand | string {
  switch (type) {
    case ConfigurationEntryType.Changed:
      if (facts.restored_from !== undefined)
        return { kind: 'restore', backupId: String(facts.restored_from) };
      if (!isFields(facts.changes)) return 'facts.changes is not an object';
      return { kind: 'change', changes: facts.changes as ConfigurationChanges };
    case ConfigurationEntryType.BackedUp:
      return { kind: 'backUp', description: String(facts.description) };
    case ConfigurationEntryType.BackupDeleted:
      return { kind: 'deleteBackup', backupId: String(facts.backup_id) };
    case ConfigurationEntryType.FormatRaised:
      return typeof facts.level === 'number'
        ? { kind: 'raiseFormat', level: facts.level }
        : 'facts.level is not a number';
    default:
      return `type ${type} is unknown to this version`;
  }
}
