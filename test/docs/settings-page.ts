/** docs/running/settings.md as the tables have it. */
import type { Setting } from '../../packages/server/src/config/setting.js';
import { otherNames } from '../../packages/server/src/config/settings/other-names.js';
import { settings } from '../../packages/server/src/config/settings.js';

const HEAD = [
  '# Settings',
  'Every name of the environment that the server reads, in the order of `handover serve --help`. Written from the tables in ' +
    '`packages/server/src/config` by `npx vitest run test/docs/settings.test.ts -u`. What bounds something stands in ' +
    '[limits.md](limits.md), too, with what happens beyond it.',
];

export function settingsPage(): string {
  const rows = [...(settings as readonly Setting[]), ...otherNames].map(
    ({ name, default: fallback, description }) =>
      `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${cell(description)} |`,
  );
  return `${[...HEAD, ['| name | default | meaning |', '| --- | --- | --- |', ...rows].join('\n')].join('\n\n')}\n`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
