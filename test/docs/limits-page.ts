/** docs/running/limits.md as the tables of settings and of fixed limits have it. */
import { type FixedLimit, fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import type { Setting } from '../../packages/server/src/config/setting.js';
import { settings } from '../../packages/server/src/config/settings.js';

type Unit = FixedLimit['unit'] | 'seconds' | 'days';

const HEAD = [
  '# Limits',
  'Every limit of the server: what it bounds, and what happens beyond it. Written from the tables in ' +
    '`packages/server/src/config` by `npx vitest run test/docs/limits.test.ts -u`.',
  'A refusal because of a limit changes nothing: nothing is stored, and the same request may be sent again. ' +
    '`RATE_LIMITED` says how long to wait, unless waiting does not help: a quota of bytes, or calls and sessions ' +
    'that are open. Bytes of messages, and how many open sessions a credential may have, are in ' +
    '[running.md](running.md).',
  'Most settings of quotas can be changed while the server runs (`updateConfiguration` over MCP). A value that was ' +
    'changed so is recorded, and wins over the environment at every later start; the log says so.',
];

export function limitsPage(): string {
  const set: readonly Setting[] = settings;
  const changeable = set.flatMap(({ name, description, default: value, beyond }) =>
    beyond === undefined
      ? []
      : [`| ${cell(description)} | ${shown(Number(value), unitOf(name))} | \`${name}\` | ${cell(beyond)} |`],
  );
  const fixed = Object.values<FixedLimit>(fixedLimits).map(
    ({ what, value, unit, beyond }) => `| ${cell(what)} | ${shown(value, unit)} | ${cell(beyond)} |`,
  );
  return `${[
    ...HEAD,
    '## Limits that a setting changes',
    ['| what | default | setting | beyond |', '| --- | --- | --- | --- |', ...changeable].join('\n'),
    '## Limits that no setting changes',
    ['| what | limit | beyond |', '| --- | --- | --- |', ...fixed].join('\n'),
  ].join('\n\n')}\n`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function unitOf(name: string): Unit {
  if (name.includes('_BYTES')) return 'bytes';
  if (/_SEC(?:OND)?S$/.test(name)) return 'seconds';
  return name.endsWith('_DAYS') ? 'days' : 'count';
}

/** As people say it; a value of bytes or of time in the unit that divides it. */
function shown(value: number, unit: Unit): string {
  switch (unit) {
    case 'bytes':
      return inUnit(value, [
        [1_073_741_824, 'GiB'],
        [1_048_576, 'MiB'],
        [1_024, 'KiB'],
        [1, 'bytes'],
      ]);
    case 'ms':
      return inUnit(value, [...TIMES.map(([size, name]) => [size * 1_000, name] as const), [1, 'ms']]);
    case 'seconds':
      return inUnit(value, TIMES);
    case 'days':
      return `${value} days`;
    case 'characters':
      return `${value.toLocaleString('en')} characters`;
    case 'count':
      return value.toLocaleString('en');
  }
}

const TIMES: readonly (readonly [size: number, name: string])[] = [
  [86_400, 'days'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

function inUnit(value: number, units: readonly (readonly [size: number, name: string])[]): string {
  const [size, name] = units.find(([one]) => value >= one && value % one === 0) ?? [1, units.at(-1)?.[1]];
  const number = value / size;
  return `${number.toLocaleString('en')} ${number === 1 && name === 'days' ? 'day' : name}`;
}
