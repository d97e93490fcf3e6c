/**
 * The settings that can be changed while the server runs: their names, what they may hold, and what the environment
 * says of them. The same table (settings.ts) describes values from the environment and changed values.
 */
import type { ConfigurationValue, ConfigurationValues } from '@handover/core';
import { fixedLimits } from './fixed-limits.js';
import type { ChangeableSetting } from './setting.js';
import type { SettingReader } from './setting-reader.js';
import { type KnownSetting, type LiveSetting, type RestartSetting, settings } from './settings.js';

const MAX_TEXT = fixedLimits.changedTextLength.value;
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

/**
 * Reads a new value, given as JSON or as it would be written in the environment. A wrong value gives a flaw instead.
 */
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

/** The values of the environment, by shown name. A setting that already has a problem gets no second one. */
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

/** The names of the secrets that the environment sets. */
export function readSecretNames(reader: SettingReader): readonly string[] {
  return Object.freeze(secretSettings.map(({ name }) => name).filter((name) => reader.isSet(name)));
}

export const secretSettings: readonly KnownSetting[] = settings.filter(
  (setting) => 'secret' in setting && setting.secret,
);
