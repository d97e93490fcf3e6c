import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { append, chain, storeAll, streamRef } from '@handover/engine/store-contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtFile } from '../../platform/package-root.js';
import { openSqliteStore } from './sqlite-store.js';

const a = streamRef('a');
const COMPILED = builtFile('store/sqlite/index.js').href;

/** Another process that opens the folder, says so, and stays. */
async function holder(directory: string): Promise<ChildProcess> {
  const code = `
    const { openSqliteStore } = await import(${JSON.stringify(COMPILED)});
    await openSqliteStore({ directory: ${JSON.stringify(directory)} });
    console.log('open');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(child.stdout, 'data');
  expect(String(said).trim()).toBe('open');
  return child;
}

describe('the lock of the data folder', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'handover-lock-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const refused = {
    code: 'CONFIGURATION',
    message: expect.stringMatching(/another server uses this data folder .* "handover stop --data-dir \S+"/),
  };

  it('refuses a second server while the first lives, and not after kill -9', async () => {
    const child = await holder(directory);
    try {
      await expect(openSqliteStore({ directory })).rejects.toMatchObject(refused);
      // The refused attempt did not loosen the lock either.
      await expect(openSqliteStore({ directory })).rejects.toMatchObject(refused);
    } finally {
      child.kill('SIGKILL');
    }
    await once(child, 'exit');
    const store = await openSqliteStore({ directory });
    await storeAll(store, append(a, chain(a, 1, 1)));
    await store.close();
  });

  it('refuses a second store within one process, which leaves the first unharmed', async () => {
    const first = await openSqliteStore({ directory });
    await expect(openSqliteStore({ directory })).rejects.toMatchObject(refused);
    await storeAll(first, append(a, chain(a, 1, 1)));
    await expect(openSqliteStore({ directory })).rejects.toMatchObject(refused);
    await first.close();
    const second = await openSqliteStore({ directory });
    expect(await second.position()).toBe('1');
    await second.close();
  });
});
