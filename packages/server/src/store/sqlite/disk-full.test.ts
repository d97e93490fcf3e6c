/** A disk that is really full: a small tmpfs, where the test may mount one (root on Linux). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandoverError } from '@handover/core';
import type { CommitOutcome, Store } from '@handover/engine';
import { append, chain, storeAll, streamRef } from '@handover/engine/store-contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiskFloor } from './disk-floor.js';
import { openSqliteStore } from './sqlite-store.js';

const a = streamRef('a');
const NOTHING = { streams: [], messageIds: [] };
const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'ignore' });
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'handover-mount-'));
  try {
    mount('-t', 'tmpfs', '-o', 'size=64k', 'handover', probe);
    execFileSync('umount', [probe]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true });
  }
}

const commit = (store: Store, seq: number): Promise<CommitOutcome> =>
  store.commit(NOTHING, () => [append(a, chain(a, seq, seq, { payload: new Uint8Array(60_000).fill(seq) }))]);

describe('the disk floor', () => {
  it('refuses below the floor and names it', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'handover-floor-'));
    const store = await openSqliteStore({ directory, diskFloorBytes: 2 ** 60 });
    expect(await commit(store, 1)).toEqual({
      kind: 'notStored',
      reason: expect.stringContaining('below the floor of 1099511627776.0 MiB'),
    });
    expect(await store.position()).toBe('0');
    await store.close();
    await rm(directory, { recursive: true });
  });

  it('refuses when it cannot be asked', async () => {
    const floor = createDiskFloor(join(tmpdir(), 'no', 'such', 'folder'), 1);
    expect(await floor()).toContain('cannot be read');
    expect(await floor()).toContain('cannot be read');
    expect(await createDiskFloor(tmpdir(), 1)()).toBeUndefined();
  });
});

describe.skipIf(!canMount())('a full disk (needs the right to mount a tmpfs)', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'handover-full-'));
    mount('-t', 'tmpfs', '-o', 'size=8m', 'handover', directory);
  });
  afterEach(async () => {
    execFileSync('umount', [directory]);
    await rm(directory, { recursive: true });
  });

  it('is refused at the floor, and accepted again once there is room', async () => {
    const store = await openSqliteStore({ directory, diskFloorBytes: 4 * 1024 * 1024 });
    await storeAll(store, append(a, chain(a, 1, 1)));
    await writeFile(join(directory, 'filler'), new Uint8Array(5 * 1024 * 1024));
    await later(1100);
    expect(await commit(store, 2)).toMatchObject({ kind: 'notStored' });
    // Duplicates and refusals store nothing, so they are still answered.
    expect(await store.commit(NOTHING, () => [])).toEqual({ kind: 'stored', at: [] });
    expect((await store.load(a, 0, 10)).length).toBe(1);
    await rm(join(directory, 'filler'));
    await later(1100);
    expect(await commit(store, 2)).toMatchObject({ kind: 'stored' });
    await store.close();
  });

  it('without a floor may end in an unknown outcome, and then nothing acknowledged is lost', async () => {
    const fatal: HandoverError[] = [];
    const store = await openSqliteStore({
      directory,
      diskFloorBytes: 0,
      onFatal: (error) => fatal.push(error),
    });
    let acknowledged = 0;
    let end: unknown;
    while (end === undefined) {
      const outcome = await commit(store, acknowledged + 1).catch((error: HandoverError) => error);
      if ('kind' in outcome && outcome.kind === 'stored') acknowledged++;
      else end = outcome;
    }
    expect(acknowledged).toBeGreaterThan(10);
    expect(end).toMatchObject(
      'kind' in Object(end) ? { kind: 'notStored' } : { code: 'UNKNOWN_OUTCOME', next: 'fatal' },
    );
    expect(fatal.length).toBe('kind' in Object(end) ? 0 : 1);
    await store.close();

    mount('-o', 'remount,size=32m', directory);
    const again = await openSqliteStore({ directory, diskFloorBytes: 0 });
    const found = await again.read(a, 0, { entries: 1000, bytes: 1e9 });
    expect(found.length).toBeGreaterThanOrEqual(acknowledged);
    expect(found.length).toBeLessThanOrEqual(acknowledged + 1);
    expect(found.every(({ payload, seq }) => payload.every((byte) => byte === (seq & 0xff)))).toBe(true);
    expect(await commit(again, found.length + 1)).toMatchObject({ kind: 'stored' });
    await again.close();
  });
});
