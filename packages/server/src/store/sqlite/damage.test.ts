/** Damage is found or harmless; it never ends the process and never passes for data of another type. */
import { copyFile, mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HandoverError } from '@handover/core';
import { BEGINNING } from '@handover/engine';
import { append, chain, storeAll, streamRef } from '@handover/engine/store-contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteReadOnly } from './read-only.js';
import { openSqliteStore } from './sqlite-store.js';

const PAGE = 4096;
const refs = Array.from({ length: 20 }, (_, i) => streamRef(`stream-${i}`));

describe('damaged files', () => {
  let parent: string;
  let original: string;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'handover-damage-'));
    const directory = join(parent, 'data');
    original = join(directory, 'handover.db');
    const store = await openSqliteStore({ directory });
    const involved = [{ agent: 'x', role: 'r' }];
    await storeAll(store, ...refs.map((ref) => append(ref, chain(ref, 1, 20), { involved })));
    await store.close();
  });
  afterAll(() => rm(parent, { recursive: true }));

  async function copyWith(name: string, change: (bytes: Buffer) => void): Promise<string> {
    const directory = join(parent, name);
    await mkdir(directory, { recursive: true });
    const bytes = await readFile(original);
    change(bytes);
    await writeFile(join(directory, 'handover.db'), bytes, { mode: 0o600 });
    return directory;
  }

  it('a destroyed page is DATA_LOSS on read, and what does not need it still answers', async () => {
    // Somewhere in the middle: neither the schema nor the end of the log, which are read at the start.
    const directory = await copyWith('page', (bytes) => {
      const middle = Math.floor(bytes.length / PAGE / 2) * PAGE;
      bytes.fill(0xff, middle, middle + 2 * PAGE);
    });
    const store = await openSqliteStore({ directory });
    const reads = await Promise.allSettled(refs.map((ref) => store.load(ref, 0, 100)));
    const failed = reads.filter((read) => read.status === 'rejected');
    expect(failed.length).toBeGreaterThan(0);
    for (const { reason } of failed)
      expect(reason).toMatchObject({ code: 'DATA_LOSS', message: expect.stringContaining('damaged') });
    expect(await store.position()).toBe('400');
    expect(await store.commit({ streams: [], messageIds: [] }, () => [])).toMatchObject({ kind: 'stored' });
    await store.close();
  });

  it('a destroyed log refuses the start', async () => {
    const directory = await copyWith('log', (bytes) => bytes.fill(0xff, 3 * PAGE));
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({
      code: 'DATA_LOSS',
      message: expect.stringMatching(/log.handover\.db is damaged .*restore it from a backup/),
    });
  });

  it('a destroyed header refuses the start, names the file and speaks of a backup', async () => {
    const directory = await copyWith('header', (bytes) => bytes.fill(0x41, 0, 100));
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({
      code: 'DATA_LOSS',
      message: expect.stringMatching(/header.handover\.db is damaged .*restore it from a backup/),
    });
  });

  it('a file cut short is found', async () => {
    const directory = join(parent, 'short');
    await mkdir(directory);
    await copyFile(original, join(directory, 'handover.db'));
    const handle = await open(join(directory, 'handover.db'), 'r+');
    await handle.truncate(Math.floor((await stat(original)).size / PAGE / 2) * PAGE);
    await handle.close();
    await expect(readEverything(directory)).rejects.toMatchObject({ code: 'DATA_LOSS' });
  });

  it('no single flipped bit ends the process or slips in another type', async () => {
    const size = (await stat(original)).size;
    let seed = 12345;
    for (let i = 0; i < 100; i++) {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      const at = seed % size;
      const directory = await copyWith('flip', (bytes) => {
        bytes[at] = (bytes[at] ?? 0) ^ (1 << ((seed >>> 28) % 8));
      });
      const outcome = await readEverything(directory).catch((thrown: unknown) => thrown);
      if (outcome !== undefined) expect(outcome).toBeInstanceOf(HandoverError);
    }
  });
});

async function readEverything(directory: string): Promise<void> {
  const view = await openSqliteReadOnly(directory);
  try {
    for (const { ref } of view.streams()) await view.read(ref, 0, { entries: 1000, bytes: 1e9 });
    for (const _ of view.involvements());
    await view.feed(BEGINNING, 1000);
  } finally {
    await view.close();
  }
}
