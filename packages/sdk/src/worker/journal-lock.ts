/**
 * One process at a time writes a journal. The lock is a file that names its holder; a holder that was killed leaves it
 * behind, so it counts only while that process lives. Where the system tells when a process began, a number that was given
 * to another process since is told apart. It is no lock between machines that share a folder. The Python SDK writes the
 * same name, and leaves the file behind empty.
 */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { MacpSdkError } from '../errors.js';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, as the system counts it; empty where it does not tell. */
  readonly began: string;
}

/** Returns what gives the lock back. */
export function lockJournal(path: string): () => void {
  const lock = `${path}.lock`;
  for (let attempt = 0; ; attempt++) {
    try {
      const file = openSync(lock, 'wx', 0o600);
      const me: Holder = { pid: process.pid, host: hostname(), began: beganAt(process.pid) };
      writeSync(file, JSON.stringify(me));
      closeSync(file);
      return () => rmSync(lock, { force: true });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST')
        throw new MacpSdkError(`the journal ${path} cannot be opened: ${message}`, { cause: error });
      const holder = holderOf(lock);
      if (attempt > 0 || (holder && isAlive(holder)))
        throw new MacpSdkError(
          `the journal ${path} is in use by process ${holder?.pid ?? 'unknown'}: one worker at a time; give this one a journal of its own`,
        );
      rmSync(lock, { force: true });
    }
  }
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
