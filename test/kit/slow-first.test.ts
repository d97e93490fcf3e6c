import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SLOW } from './slow-first.js';

it.each(SLOW)('%s is there', (file) => {
  expect(existsSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)))).toBe(true);
});
