/** What the system knows of one thread of this process. On Linux alone; elsewhere nothing is known. */
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

const NS_PER_MS = 1_000_000;

/** The number under which the system has the calling thread. */
export function ownThread(): number | undefined {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return undefined;
  }
}

/** How long a processor has worked for that thread so far. */
export function workedMs(thread: number): number | undefined {
  try {
    const [ns] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ');
    const ms = Number(ns) / NS_PER_MS;
    return Number.isFinite(ms) ? ms : undefined;
  } catch {
    return undefined;
  }
}
