/**
 * The configuration registry: one stream for the server, in the tenant `default`.
 *
 * G1. One entry per change, whole: what was set, by whom, when, and the backup of what was there before.
 * G2. The server checks keys and values before it submits a change: they differ between versions, and a log must replay
 *     under all of them.
 * G3. A restore is a change like any other. A value that is already set is not recorded again.
 * G4. Automatic backups are kept up to a number, the oldest go first; those that were asked for stay until deleted.
 * G5. The level of the format only rises. The server raises it at its start, before it writes anything that an older
 *     version does not know.
 */

import { accepted, type Decision, rejected, type Stamp } from '../decider.js';
import { FaultCode, HandoverError } from '../fault.js';
import { StreamKind } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { knowsRules } from '../log/rev.js';
import { registryDraft } from '../registry/registry-draft.js';
import { RejectionCode, reject } from '../rejection.js';
import type { DeciderOf } from '../streams.js';
import { isId, isWellFormed, utf8Length } from '../text.js';
import { ConfigurationEntryType } from './entry-type.js';
import { evolveConfiguration } from './evolve.js';
import {
  type ConfigurationBackup,
  type ConfigurationChanges,
  type ConfigurationCommand,
  type ConfigurationState,
  type ConfigurationValue,
  changesBetween,
  findBackup,
} from './state.js';

export const MAX_BACKUPS = 100;
const MAX_KEYS = 1_000;
const MAX_TEXT_BYTES = 4_096;

export const configurationDecider: DeciderOf<'configuration'> = {
  kind: StreamKind.Configuration,
  decide: decideConfiguration,
  evolve: knowsRules(1, evolveConfiguration),
  due: () => undefined,
  tick: () => {
    throw new HandoverError(FaultCode.INTERNAL, 'the configuration registry has no timers');
  },
  listingChanged: (before) => before === undefined,
  listing: (state) => ({ state: 'ACTIVE', createdAt: state.createdAt, summary: {} }),
  involved: () => [],
};

const refuse = (message: string): Decision => rejected(reject(RejectionCode.VALIDATION_ERROR, message));

function decideConfiguration(
  state: ConfigurationState | undefined,
  command: ConfigurationCommand,
  stamp: Stamp,
): Decision {
  switch (command.kind) {
    case 'change':
      return change(state, command.changes, stamp, {});
    case 'backUp':
      return backUp(state, command.description, stamp);
    case 'restore': {
      const backup = findBackup(state, command.backupId);
      if (!backup) return unknownBackup();
      const changes = changesBetween(state?.values ?? {}, backup.values);
      return change(state, changes, stamp, { restored_from: backup.id });
    }
    case 'deleteBackup':
      if (!findBackup(state, command.backupId)) return unknownBackup();
      return accepted(
        registryDraft(ConfigurationEntryType.BackupDeleted, stamp, { backup_id: command.backupId }),
      );
    case 'raiseFormat':
      return raiseFormat(state, command.level, stamp);
  }
}

const unknownBackup = (): Decision => refuse('backupId names no backup; the action list shows them all');

function change(
  state: ConfigurationState | undefined,
  asked: ConfigurationChanges,
  stamp: Stamp,
  why: JsonObject,
): Decision {
  const flaw = changesFlaw(asked);
  if (flaw) return refuse(flaw);
  const changes = differing(state?.values ?? {}, asked);
  if (Object.keys(changes).length === 0) return accepted();
  // The id names the entry that makes the backup, so it needs no randomness.
  const facts = { changes, backup_id: `auto-${stamp.seq}`, ...why };
  return accepted(registryDraft(ConfigurationEntryType.Changed, stamp, facts));
}

function raiseFormat(state: ConfigurationState | undefined, level: number, stamp: Stamp): Decision {
  if (!Number.isSafeInteger(level) || level < 2) return refuse('the level must be a whole number above 1');
  return level <= (state?.format ?? 1)
    ? accepted()
    : accepted(registryDraft(ConfigurationEntryType.FormatRaised, stamp, { level }));
}

function differing(
  values: Readonly<Record<string, ConfigurationValue>>,
  asked: ConfigurationChanges,
): ConfigurationChanges {
  return Object.fromEntries(Object.entries(asked).filter(([key, value]) => (values[key] ?? null) !== value));
}

function backUp(state: ConfigurationState | undefined, description: string, stamp: Stamp): Decision {
  if (!isWellFormed(description) || utf8Length(description) > MAX_TEXT_BYTES)
    return refuse(`description must be text of at most ${MAX_TEXT_BYTES} bytes`);
  if (askedFor(state?.backups ?? []).length >= MAX_BACKUPS)
    return refuse(`there are ${MAX_BACKUPS} backups already; delete one first`);
  const facts = { backup_id: `backup-${stamp.seq}`, description };
  return accepted(registryDraft(ConfigurationEntryType.BackedUp, stamp, facts));
}

const askedFor = (backups: readonly ConfigurationBackup[]) => backups.filter(({ automatic }) => !automatic);

function changesFlaw(changes: ConfigurationChanges): string | undefined {
  const entries = Object.entries(changes);
  if (entries.length > MAX_KEYS) return `more than ${MAX_KEYS} keys`;
  for (const [key, value] of entries) {
    if (!isId(key)) return 'a key must be 1 to 256 bytes without control characters';
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return `${key} must be a whole number`;
    if (typeof value === 'string' && (!isWellFormed(value) || utf8Length(value) > MAX_TEXT_BYTES))
      return `${key} must be text of at most ${MAX_TEXT_BYTES} bytes`;
  }
  return undefined;
}
