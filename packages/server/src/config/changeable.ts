/**
 * The settings that can be changed while the server runs: their names, what they may hold, and what the environment
 * says of them. One table (settings.ts) serves the environment and the change alike.
 */
import type { ConfigurationValue, ConfigurationValues } from '@handover/core';
import type { ChangeableSetting } from './setting.js';
import type { SettingReader } from './setting-reader.js';
import { type KnownSetting, type LiveSetting, type RestartSetting, settings } from './settings.js';

const MAX_TEXT = 128;
const PRINTABLE = /^[^\p{Cc}\p{Cs}]+$/u;

type KnownChangeable = LiveSetting | RestartSetting;

export const changeableSettings: readonly KnownChangeable[] = settings.filter(
  (setting) => 'change' in setting,
);

const isRestart = (setting: KnownChangeable): setting is RestartSetting => setting.change === 'restart';
export const restartNames: readonly RestartSetting['name'][] = changeableSettings
  .filter(isRestart)
  .map(({ name }) => name);

/** The name by which a changeable setting is recorded and shown. */
export const shownName = ({ name, shownAs = name }: ChangeableSetting): string => shownAs;

/** Reads a new value, as JSON or as it would be written in the environment; says what is wrong with it otherwise. */
export function readSettingValue(
  setting: ChangeableSetting,
  given: unknown,
): { readonly value: ConfigurationValue } | { readonly flaw: string } {
  switch (setting.kind) {
    case 'integer': {
      const { min = 0, max = Number.MAX_SAFE_INTEGER } = setting;
      const value = typeof given === 'string' && /^[0-9]{1,16}$/.test(given) ? Number(given) : given;
      const fits = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
      return fits ? { value } : { flaw: `must be a whole number from ${min} to ${max}` };
    }
    case 'choice': {
      const { choices = [] } = setting;
      const fits = typeof given === 'string' && choices.includes(given);
      return fits ? { value: given } : { flaw: `must be one of ${choices.join(', ')}` };
    }
    default: {
      const fits = typeof given === 'string' && PRINTABLE.test(given) && given.length <= MAX_TEXT;
      return fits
        ? { value: given }
        : { flaw: `must be text of 1 to ${MAX_TEXT} characters without control characters` };
    }
  }
}

/** What the environment says, by shown name. Problems are noted where nobody else has read the setting before. */
export function readChangeable(reader: SettingReader): ConfigurationValues {
  const known = new Set(reader.problems.map(({ name }) => name));
  const values: Record<string, ConfigurationValue> = {};
  for (const setting of changeableSettings) {
    const read = readSettingValue(setting, reader.text(setting.name));
    if ('value' in read) values[shownName(setting)] = read.value;
    else if (!known.has(setting.name)) reader.problem(setting.name, read.flaw);
  }
  return Object.freeze(values);
}

/** Secrets of which the environment holds one; names only. */
export function readSecretNames(reader: SettingReader): readonly string[] {
  return Object.freeze(secretSettings.map(({ name }) => name).filter((name) => reader.isSet(name)));
}

export const secretSettings: readonly KnownSetting[] = settings.filter(
  (setting) => 'secret' in setting && setting.secret,
);
