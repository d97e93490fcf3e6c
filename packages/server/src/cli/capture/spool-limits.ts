/**
 * How much waits in the spool, for as long as no server takes it: what is older than seven days goes, and of more than
 * 2,000 events or 64 MiB the oldest go. Each time that is said in hooks.log.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { logHook } from './hooks-log.js';

export const MAX_AGE_MS = 7 * 86_400_000;
const MAX_EVENTS = 2_000;
const MAX_BYTES = 64 * 1_048_576;

interface Waiting {
  files: string[];
  bytes: number;
  /** When it was put there. */
  at: number;
}

/** Before another event is put there. */
export function makeRoom(dataFolder: string, spool: string, now: number): void {
  const all = [...waitingIn(spool).values()].sort((one, other) => other.at - one.at);
  let bytes = 0;
  const dropped = all.filter((one, index) => {
    bytes += one.bytes;
    return now - one.at > MAX_AGE_MS || index >= MAX_EVENTS - 1 || bytes > MAX_BYTES;
  });
  for (const { files } of dropped) for (const file of files) rmSync(join(spool, file), { force: true });
  if (dropped.length > 0)
    logHook(dataFolder, `dropped from the spool: the ${dropped.length} oldest, which no server took`);
}

/** An event, and what was prepared of it, have names that begin alike. */
function waitingIn(spool: string): ReadonlyMap<string, Waiting> {
  const found = new Map<string, Waiting>();
  for (const file of readdirSync(spool)) {
    const [name = '', ending] = file.split('.');
    const stats = statSync(join(spool, file), { throwIfNoEntry: false });
    // The lock of whoever is sending has no ending.
    if (ending === undefined || !stats?.isFile()) continue;
    const one = found.get(name) ?? { files: [], bytes: 0, at: Number.POSITIVE_INFINITY };
    one.files.push(file);
    one.bytes += stats.size;
    one.at = Math.min(one.at, stats.mtimeMs);
    found.set(name, one);
  }
  return found;
}
