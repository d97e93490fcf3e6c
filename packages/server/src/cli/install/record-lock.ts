/** One command at a time changes the record: two that are started together must not forget what the other wrote. */
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ExitCode } from '../conventions/exit-code.js';
import { CommandFailure } from '../conventions/failure.js';

const FILE = 'installed.lock';
const POLL_MS = 50;
const PATIENCE_MS = 30_000;
/** Longer than any of these commands takes: whoever made it was killed. */
const STALE_MS = 120_000;

export async function withRecordLock<T>(folder: string, work: () => T): Promise<T> {
  const path = join(folder, FILE);
  const deadline = Date.now() + PATIENCE_MS;
  while (!taken(path)) {
    if (Date.now() > deadline)
      throw new CommandFailure(
        ExitCode.Conflict,
        'CONFLICT',
        'another "handover install" or "handover uninstall" is at work',
        `Wait for it; if there is none, remove ${path}`,
      );
    await pause(POLL_MS);
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function taken(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (thrown) {
    const isThere = thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST';
    if (!isThere) throw thrown;
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > STALE_MS) rmSync(path, { force: true });
    return false;
  }
}
