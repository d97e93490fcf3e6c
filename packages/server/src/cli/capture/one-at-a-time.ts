/**
 * One process of this folder at a time does something. Whoever comes while another is at it leaves at once: the other looks
 * again before it ends. A turn ends with its process, and when nothing was heard of it for five minutes.
 */
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { plainText } from '../../platform/plain-file.js';

const STALE_MS = 300_000;
const MAX_BYTES = 64;

export interface Turn {
  /** Still at it. */
  goesOn(): void;
  end(): void;
}

/** Undefined when another has it. */
export function takeTurn(path: string): Turn | undefined {
  for (let tries = 0; tries < 2; tries++) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
      return turnAt(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (!isLeftOver(path)) return undefined;
      rmSync(path, { force: true, recursive: true });
    }
  }
  return undefined;
}

function turnAt(path: string): Turn {
  const isOurs = () => holder(path) === process.pid;
  return {
    goesOn() {
      const now = new Date();
      if (isOurs()) utimesSync(path, now, now);
    },
    // Whoever was given up for lost must not end the turn of another.
    end() {
      if (isOurs()) rmSync(path, { force: true });
    },
  };
}

function isLeftOver(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || Date.now() - stats.mtimeMs > STALE_MS) return true;
  const pid = holder(path);
  // Nobody has it who wrote no file there.
  if (pid === undefined) return true;
  try {
    // While it is being written there is no number in it yet.
    if (Number.isInteger(pid) && pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function holder(path: string): number | undefined {
  const text = plainText(path, MAX_BYTES, 'own');
  return text === undefined ? undefined : Number(text);
}
