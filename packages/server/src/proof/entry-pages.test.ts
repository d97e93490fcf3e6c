import type { Entry } from '@handover/core';
import { createMemoryStore } from '@handover/engine';
import { describe, expect, it } from 'vitest';
import { entryPages } from './entry-pages.js';
import { idOf, sessionOf, World } from './stories.test.helper.js';

async function read(world: World, contexts: number, bytes: number): Promise<readonly Entry[][]> {
  const ref = sessionOf(idOf(`pages-${contexts}-${bytes}`));
  await world.say(ref, 'owner', 'SessionStart', {});
  await world.say(ref, 'owner', 'HandoffOffer', {});
  for (let i = 0; i < contexts; i++)
    await world.say(ref, 'owner', 'HandoffContext', { context: new Uint8Array(bytes) });
  const pages: Entry[][] = [];
  for await (const page of entryPages(world.store, ref)) pages.push([...page]);
  expect(pages.flat().map(({ seq }) => seq)).toEqual(Array.from({ length: contexts + 2 }, (_, i) => i + 1));
  return pages;
}

describe('pages of entries', () => {
  it('end where the stream ends, whether by number or by size', async () => {
    const world = new World(createMemoryStore());
    expect(await read(world, 3, 0)).toHaveLength(1);
    for (const contexts of [497, 498, 499, 600]) await read(world, contexts, 0);
    expect((await read(world, 12, 1_000_000)).length).toBeGreaterThan(2);
  });

  it('are none for a stream that is not there', async () => {
    const pages: unknown[] = [];
    for await (const page of entryPages(createMemoryStore(), sessionOf('nobody'))) pages.push(page);
    expect(pages).toEqual([]);
  });
});
