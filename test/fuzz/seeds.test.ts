/** Every kept seed shows its flaw no more. One that is still open is skipped, and `npm run fuzz -- --seeds` tries it. */
import { afterAll, describe, expect, it } from 'vitest';
import { readSeeds } from './seeds.js';
import { closeServers } from './server/servers.js';
import { TARGETS } from './targets.js';

afterAll(() => closeServers());

const seeds = readSeeds();

describe('seeds', () => {
  it('belong to a target', () => {
    const names = new Set(TARGETS.map(({ name }) => name));
    for (const { name, target } of seeds) expect(names.has(target), name).toBe(true);
  });

  it.each(seeds.filter(({ open }) => open !== true))('$name', async ({ target, input }) => {
    const found = TARGETS.find(({ name }) => name === target);
    expect(await found?.replay(input)).toBeUndefined();
  });
});
