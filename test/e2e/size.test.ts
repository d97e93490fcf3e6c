/** What a browser loads to show a page, as it travels. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const ASSETS = fileURLToPath(new URL('../../packages/server/dist/pages/assets/', import.meta.url));
const BUDGET_BYTES = 80 * 1024;

it('the scripts and styles of the pages stay below 80 KiB', () => {
  const sizes = readdirSync(ASSETS).map((name) => gzipSync(readFileSync(ASSETS + name)).length);
  expect(sizes.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(BUDGET_BYTES);
});
