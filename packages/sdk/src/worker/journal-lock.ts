/**
 * One process at a time writes a journal. The lock is a file that names its holder; a holder that was killed leaves it
 * behind, so it counts only while that process lives. Where the system tells when a process began, a number that was given
 * to another process since is told apart. It is no lock between machines that share a folder. The Python SDK writes the
 * same name, and leaves the file behind empty.
 *
 * L1. The file is there with its whole content at once, or not: it is written under another name, and linked.
 * L2. What a killed holder has left is taken away by one process at a time, which looks once more before it does.
 */
import { randomUUID } from 'node:crypto';
import { constants, copyFileSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { MacpSdkError } from '../errors.js';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, as the system counts it; empty where it does not tell. */
  readonly began: string;
}

const TRIES = 100;
const PAUSE_MS = 5;
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Returns what gives the lock back. */
export function lockJournal(path: string): () => void {
  const lock = `${path}.lock`;
  const me: Holder = { pid: process.pid, host: hostname(), began: beganAt(process.pid) };
  const mine = `${lock}.${randomUUID()}`;
  try {
    writeFileSync(mine, JSON.stringify(me), { mode: 0o600, flag: 'wx' });
    for (let tries = 0; tries < TRIES; tries++) {
      if (isPut(mine, lock)) return () => rmSync(lock, { force: true });
      const holder = holderOf(lock);
      if (holder && isAlive(holder)) throw inUse(path, holder);
      clearAway(lock, mine);
    }
    throw inUse(path, holderOf(lock));
  } catch (error) {
    if (error instanceof MacpSdkError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new MacpSdkError(`the journal ${path} cannot be opened: ${why}`, { cause: error });
  } finally {
    rmSync(mine, { force: true });
  }
}

/** False when there is such a file already. */
function isPut(mine: string, name: string): boolean {
  try {
    try {
      linkSync(mine, name);
    } catch (error) {
      // Not every file system has links.
      if (!NO_LINKS.has((error as NodeJS.ErrnoException).code)) throw error;
      copyFileSync(mine, name, constants.COPYFILE_EXCL);
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function clearAway(lock: string, mine: string): void {
  const taking = `${lock}.taking`;
  if (!isPut(mine, taking)) {
    const other = holderOf(taking);
    if (!other || !isAlive(other)) rmSync(taking, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    return;
  }
  try {
    const holder = holderOf(lock);
    if (!holder || !isAlive(holder)) rmSync(lock, { force: true });
  } finally {
    rmSync(taking, { force: true });
  }
}

function inUse(path: string, holder: Holder | undefined): MacpSdkError {
  const pid = holder?.pid ?? 'unknown';
  return new MacpSdkError(
    `the journal ${path} is in use by process ${pid}: one worker at a time; give this one a journal of its own`,
  );
}

/** Undefined for a lock that was not written to its end: whoever was about to has been killed. */
function holderOf(lock: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(lock, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, host, began }: Holder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user is alive, too.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return began === beganAt(pid);
}

function beganAt(pid: number): string {
  try {
    // The command's name is in brackets and may have spaces; the 20th field after it is the start.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
