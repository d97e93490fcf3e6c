import { meant } from '../platform/nearest-name.js';
import { isChainSetting } from './read-chains.js';
import type { Environment } from './setting-reader.js';
import { otherNames } from './settings/other-names.js';
import { settings } from './settings.js';

const PREFIX = /^(?:MACP|HANDOVER)_/;

/**
 * One warning for each unknown name that begins like ours, and for each name that does nothing here. No value is shown.
 */
export function settingWarnings(env: Environment): readonly string[] {
  const names = new Set<string>([...settings, ...otherNames].map(({ name }) => name));
  const unknown = Object.keys(env)
    .filter(
      (name) => PREFIX.test(name) && env[name] !== undefined && !names.has(name) && !isChainSetting(name),
    )
    .map((name) => `unknown setting ${name}${meant(name, names)}`);
  const idle = settings.flatMap((setting) =>
    'ignored' in setting && (env[setting.name] ?? '') !== ''
      ? [`${setting.name} is ignored: ${setting.ignored}`]
      : [],
  );
  return [...idle, ...unknown.sort()];
}
