/**
 * The public surface of every package is a pin: a name that comes, goes or turns into a type fails here. A change on
 * purpose is written by `npx vitest run test/packages -u`.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { entryPoints, exportsOf } from './entry-points.js';

const entries = entryPoints();
const exported = exportsOf(entries);
const pins = fileURLToPath(new URL('exports/', import.meta.url));
const fileOf = (name: string): string => `${name.replace('@', '').replaceAll('/', '.')}.txt`;

describe.each(entries)('$name', ({ name, source }) => {
  const { values = [], types = [] } = exported.get(name) ?? {};

  it('exports what is pinned and nothing else', async () => {
    const lines = [...values.map((value) => `value ${value}`), ...types.map((type) => `type ${type}`)];
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`${pins}${fileOf(name)}`);
  });

  it('exports at run time what its types say', async () => {
    expect(Object.keys((await import(source)) as object).sort()).toEqual(values);
  });
});

it('every package has a pin, and no pin is left of one that is gone', () => {
  expect(readdirSync(pins).sort()).toEqual(entries.map(({ name }) => fileOf(name)).sort());
});

it('core exports nothing of a chain: every install of the SDK would carry it', () => {
  const { values = [], types = [] } = exported.get('@handover/core') ?? {};
  expect(values.length).toBeGreaterThan(50);
  const words = (name: string) =>
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[ _]/);
  const OF_A_CHAIN = /^(?:abi|keccak.*|calldata|xrc.*|selector)$/;
  expect([...values, ...types].filter((name) => words(name).some((word) => OF_A_CHAIN.test(word)))).toEqual(
    [],
  );
});
