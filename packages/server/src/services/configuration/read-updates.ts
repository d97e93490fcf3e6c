/**
 * Reads the requested changes, by recorded names, or says everything that is wrong with them, one sentence for each
 * key.
 */
import type { ConfigurationChanges, ConfigurationValue, JsonObject } from '@handover/core';
import { readSettingValue } from '../../config/changeable.js';
import { findKey } from './key-names.js';

export type UpdatesReading =
  | { readonly ok: true; readonly changes: ConfigurationChanges }
  | { readonly ok: false; readonly errors: readonly string[] };

const MAX_SHOWN = 100;

export function readUpdates(updates: JsonObject): UpdatesReading {
  const changes: Record<string, ConfigurationValue | null> = {};
  const errors: string[] = [];
  for (const [spelling, given] of Object.entries(updates)) {
    // The caller chooses the key, so a refusal repeats only the beginning of a long one.
    const shown = spelling.length > MAX_SHOWN ? `${spelling.slice(0, MAX_SHOWN)}…` : spelling;
    const key = findKey(spelling);
    if (!key) errors.push(`${shown} is not a setting; getConfiguration shows all there are`);
    else if (key.kind === 'secret')
      errors.push(`${shown} is a secret and can only be set in the environment`);
    else if (key.kind === 'environment') errors.push(`${shown} can only be set in the environment`);
    else if (key.name in changes) errors.push(`${shown} is given twice, under two spellings`);
    else {
      const read = given === null ? { value: null } : readSettingValue(key.setting, given);
      if ('flaw' in read) errors.push(`${shown} ${read.flaw}`);
      else changes[key.name] = read.value;
    }
  }
  if (Object.keys(updates).length === 0) errors.push('updates is empty');
  return errors.length === 0 ? { ok: true, changes } : { ok: false, errors };
}

/** The names of the changes that act only after a restart. */
export function needRestart(changes: ConfigurationChanges): readonly string[] {
  return Object.keys(changes).filter((name) => {
    const key = findKey(name);
    return key?.kind === 'changeable' && key.setting.change === 'restart';
  });
}
