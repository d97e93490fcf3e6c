/**
 * Refuses to write when the disk is nearly full, while a refusal is still certain: a full disk that shows up in COMMIT
 * leaves the outcome unknown and ends the process. Asked at most once a second; a commit in between costs nothing.
 */
import { statfs } from 'node:fs/promises';

const INTERVAL_MS = 1000;
const MIB = 1024 * 1024;

/** Says why nothing may be written now, or nothing. */
export type DiskFloor = () => Promise<string | undefined>;

export function createDiskFloor(directory: string, floorBytes: number): DiskFloor {
  let askedAt = Number.NEGATIVE_INFINITY;
  let free = Number.POSITIVE_INFINITY;
  return async () => {
    if (floorBytes <= 0) return undefined;
    if (performance.now() - askedAt >= INTERVAL_MS) {
      askedAt = performance.now();
      const { bavail, bsize } = await statfs(directory);
      free = bavail * bsize;
    }
    if (free >= floorBytes) return undefined;
    return `only ${mib(free)} MiB are free on the disk of the data folder, below the floor of ${mib(floorBytes)} MiB`;
  };
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}
