/**
 * Refuses to write when the disk is nearly full, while a refusal is still certain: a full disk that shows up in COMMIT
 * leaves the outcome unknown and ends the process. Asked at most once a second; a commit in between costs nothing.
 */
import { statfs } from 'node:fs/promises';
import { messageOf } from './sqlite-error.js';

const INTERVAL_MS = 1000;
const MIB = 1024 * 1024;

/** Says why nothing may be written now, or nothing. */
export type DiskFloor = () => Promise<string | undefined>;

export function createDiskFloor(directory: string, floorBytes: number): DiskFloor {
  let askedAt = Number.NEGATIVE_INFINITY;
  let refusal: string | undefined;
  return async () => {
    if (floorBytes <= 0 || performance.now() - askedAt < INTERVAL_MS) return refusal;
    askedAt = performance.now();
    refusal = await ask(directory, floorBytes);
    return refusal;
  };
}

async function ask(directory: string, floorBytes: number): Promise<string | undefined> {
  try {
    const { bavail, bsize } = await statfs(directory);
    const free = bavail * bsize;
    if (free >= floorBytes) return undefined;
    return `only ${mib(free)} MiB are free on the disk of the data folder, below the floor of ${mib(floorBytes)} MiB (HANDOVER_DISK_FLOOR_BYTES); free some space`;
  } catch (thrown) {
    return `the free space of the data folder cannot be read: ${messageOf(thrown)}`;
  }
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}
