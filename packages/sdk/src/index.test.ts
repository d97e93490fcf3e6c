import { readFileSync } from 'node:fs';
import * as sdk from 'macp-sdk-typescript';
import { expect, it } from 'vitest';

it('names the version of its package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(sdk.VERSION).toBe(version);
});
