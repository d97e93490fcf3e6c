import { isChainSetting } from './read-chains.js';
import type { Environment } from './setting-reader.js';
import { settings } from './settings.js';

const PREFIX = /^(?:MACP|HANDOVER)_/;

/**
 * One warning for each unknown name that begins like ours, and for each name that does nothing here. No value is shown.
 */
export function settingWarnings(env: Environment): readonly string[] {
  const names = new Set<string>(settings.map(({ name }) => name));
  const unknown = Object.keys(env)
    .filter(
      (name) => PREFIX.test(name) && env[name] !== undefined && !names.has(name) && !isChainSetting(name),
    )
    .map((name) => {
      const near = nearest(name, [...names]);
      return `unknown setting ${name}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
    });
  const idle = settings.flatMap((setting) =>
    'ignored' in setting && (env[setting.name] ?? '') !== ''
      ? [`${setting.name} is ignored: ${setting.ignored}`]
      : [],
  );
  return [...idle, ...unknown.sort()];
}

/** The closest name, if it is close: at most a quarter of the letters differ. */
function nearest(name: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.floor(name.length / 4) + 1;
  for (const candidate of names) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...left].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...right].entries()) {
      const replace = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replace, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
