/**
 * Typed reads of the environment through the table of settings.
 *
 * E1. An empty value counts as not set.
 * E2. A wrong value is recorded as a problem under its name. The read still returns a value, mostly the default, so
 *     that one run finds all problems. Once there is a problem, the caller must not use what was read.
 * E3. No problem or warning repeats a value: it may be a secret in the wrong place.
 */
import type { Setting } from './setting.js';
import { type IntegerName, type SettingName, settings } from './settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Problem {
  readonly name: string;
  readonly text: string;
}

const byName: ReadonlyMap<string, Setting> = new Map(settings.map((setting) => [setting.name, setting]));

export class SettingReader {
  readonly problems: Problem[] = [];
  readonly warnings: string[] = [];
  readonly #env: Environment;
  readonly #dev: boolean;

  constructor(env: Environment, dev = false) {
    this.#env = env;
    this.#dev = dev;
  }

  problem(name: string, text: string): void {
    this.problems.push({ name, text });
  }

  warn(text: string): void {
    this.warnings.push(text);
  }

  isSet(name: SettingName): boolean {
    return this.given(name) !== undefined;
  }

  /** What the environment says, without the default. */
  given(name: SettingName): string | undefined {
    const value = this.#env[name];
    return value === undefined || value === '' ? undefined : value;
  }

  text(name: SettingName): string {
    const { default: fallback, devDefault = fallback } = settingOf(name);
    return this.given(name) ?? (this.#dev ? devDefault : fallback);
  }

  flag(name: SettingName): boolean {
    const value = this.given(name);
    if (value !== undefined && value !== '1' && value !== '0')
      this.warn(`${name} is off: only 1 switches it on`);
    return value === '1';
  }

  /** A name of another kind does not compile: its default would be a problem at every start. */
  integer(name: IntegerName): number {
    const { default: fallback, min = 0, max = Number.MAX_SAFE_INTEGER } = settingOf(name);
    const text = this.text(name);
    const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.problem(name, `must be a whole number from ${min} to ${max}, such as ${fallback}`);
    return Number(fallback);
  }

  choice(name: SettingName): string {
    const { default: fallback, choices = [] } = settingOf(name);
    const value = this.text(name);
    if (choices.includes(value)) return value;
    this.problem(name, `must be one of ${choices.join(', ')}`);
    return fallback;
  }

  list(name: SettingName): readonly string[] {
    const { choices } = settingOf(name);
    const items = this.text(name)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    if (items.length === 0) this.problem(name, 'is a list without anything in it');
    if (choices !== undefined && !items.every((item) => choices.includes(item))) {
      this.problem(name, `must be a list, separated by commas, out of ${choices.join(', ')}`);
    }
    return items;
  }
}

function settingOf(name: SettingName): Setting {
  // Every `SettingName` is in the table, so the fallback is never used.
  return byName.get(name) ?? { name, kind: 'text', default: '', description: '' };
}
