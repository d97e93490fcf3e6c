import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { append, chain, storeAll, streamRef } from '@handover/engine/store-contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore } from './sqlite-store.js';

const a = streamRef('a');
const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('the data folder', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'handover-folder-'));
  });
  afterEach(() => rm(parent, { recursive: true }));

  it('is 0700, and every file in it 0600, whatever the umask', async () => {
    const directory = join(parent, 'new', 'folder');
    const umask = process.umask(0);
    try {
      const store = await openSqliteStore({ directory });
      await storeAll(store, append(a, chain(a, 1, 1)));
      expect(await mode(directory)).toBe('700');
      const files = await readdir(directory);
      expect(files.sort()).toEqual(['handover.db', 'handover.db-shm', 'handover.db-wal', 'lock.db']);
      for (const file of files) expect([file, await mode(join(directory, file))]).toEqual([file, '600']);
      await store.close();
    } finally {
      process.umask(umask);
    }
  });

  it('is tightened when it is ours or empty, and its files with it', async () => {
    const directory = join(parent, 'wide');
    await mkdir(directory, { mode: 0o755 });
    await (await openSqliteStore({ directory })).close();
    expect(await mode(directory)).toBe('700');
    await chmod(directory, 0o755);
    await chmod(join(directory, 'handover.db'), 0o644);
    await (await openSqliteStore({ directory })).close();
    expect([await mode(directory), await mode(join(directory, 'handover.db'))]).toEqual(['700', '600']);
  });

  it('is left as it is when it holds the files of others', async () => {
    await chmod(parent, 0o755);
    await writeFile(join(parent, 'theirs'), '');
    await (await openSqliteStore({ directory: parent })).close();
    expect([await mode(parent), await mode(join(parent, 'handover.db'))]).toEqual(['755', '600']);
  });

  it('that cannot be made is refused with its name', async () => {
    await writeFile(join(parent, 'file'), '');
    await expect(openSqliteStore({ directory: join(parent, 'file', 'data') })).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining('file/data cannot be used'),
    });
  });
});
