/** The spellings of a key: environment name, the name that assistants use, or dotted path. */
import { changeableSettings, secretSettings, shownName } from '../../config/changeable.js';
import type { ChangeableSetting } from '../../config/setting.js';
import { settings } from '../../config/settings.js';

export type KnownKey =
  | { readonly kind: 'changeable'; readonly name: string; readonly setting: ChangeableSetting }
  | { readonly kind: 'secret'; readonly name: string }
  /** Only the environment can set it; it is neither shown nor changed here. */
  | { readonly kind: 'environment'; readonly name: string };

const keys = new Map<string, KnownKey>();
for (const { name } of settings) keys.set(name, { kind: 'environment', name });
for (const { name } of secretSettings) keys.set(name, { kind: 'secret', name });
for (const setting of changeableSettings) {
  const key: KnownKey = { kind: 'changeable', name: shownName(setting), setting };
  for (const spelling of [setting.name, key.name, setting.path]) keys.set(spelling, key);
}

export function findKey(spelling: string): KnownKey | undefined {
  return keys.get(spelling);
}
