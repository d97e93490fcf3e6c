/** review:H5: what `serve --help` and docs/running/settings.md list is what the sources read. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readChainSettings } from '../../packages/server/src/config/read-chains.js';
import { otherNames } from '../../packages/server/src/config/settings/other-names.js';
import { settings } from '../../packages/server/src/config/settings.js';
import { settingWarnings } from '../../packages/server/src/config/unknown-settings.js';
import { HandoverProcess } from '../kit/handover-process.js';
import { settingsPage } from './settings-page.js';

const sources = fileURLToPath(new URL('../../packages/server/src/', import.meta.url));
const NAME = '(?:HANDOVER|MACP|MCP|XGR|RETENTION|XDG|GRPC)_[A-Z0-9_]*[A-Z0-9]|HOME';
/** As a whole text, as a member of the environment, or as the key of a table that wires settings by name. */
const READ = new RegExp(`'(${NAME})'|\\benv\\.(${NAME})\\b|^ *(${NAME}): [a-z({]`, 'gm');
/** One pattern for names that carry a chain id. */
const BY_CHAIN = /\^HANDOVER_\(([A-Z0-9_|]+)\)_/g;

/** The tables themselves do not count: a row that nobody reads must be noticed. */
function readInSources(): ReadonlySet<string> {
  const files = readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith('.ts') && !file.name.endsWith('.test.ts'))
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => !path.includes('/config/settings/'));
  const texts = files.map((path) => readFileSync(path, 'utf8'));
  const whole = texts.flatMap((text) => [...text.matchAll(READ)].map(([, a, b, c]) => a ?? b ?? c ?? ''));
  const byChain = texts.flatMap((text) =>
    [...text.matchAll(BY_CHAIN)].flatMap(([, kinds = '']) =>
      kinds.split('|').map((kind) => `HANDOVER_${kind}_<chainId>`),
    ),
  );
  return new Set([...whole, ...byChain]);
}

const listed = [
  ...settings.filter((setting) => !('ignored' in setting)).map(({ name }) => name),
  ...otherNames.map(({ name }) => name),
];

it('review:H5 every name that the sources read is listed, and every listed name is read', () => {
  const read = readInSources();
  expect(read.size).toBeGreaterThan(80);
  expect([...read].sort()).toEqual([...listed].sort());
});

it('review:H5 serve --help shows all of them', { timeout: 30_000 }, async () => {
  const help = new HandoverProcess(['serve', '--help']);
  expect(await help.exited).toBe(0);
  const shown = [...help.stdout.matchAll(/^ {2}([A-Z][A-Z0-9_]+(?:_<chainId>)?) /gm)].map(([, name]) => name);
  const ignored = settings.filter((setting) => 'ignored' in setting).map(({ name }) => name);
  expect(shown.sort()).toEqual([...listed, ...ignored].sort());
});

it('review:H5 the page shows the tables', async () => {
  await expect(settingsPage()).toMatchFileSnapshot('../../docs/running/settings.md');
});

it('review:H5 no listed name is called unknown, and the default of confirmations is the one that is shown', () => {
  const env = Object.fromEntries(otherNames.map(({ name }) => [name.replace('<chainId>', '5'), 'x']));
  expect(settingWarnings(env)).toEqual([]);
  expect(String(readChainSettings({}).settings.confirmations)).toBe(
    otherNames.find(({ name }) => name === 'HANDOVER_CONFIRMATIONS')?.default,
  );
});
