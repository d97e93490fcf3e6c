/**
 * One process of this folder at a time does something. Whoever comes while another is at it leaves at once: the other looks
 * again before it ends.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

const STALE_MS = 300_000;

/** The release, or undefined when another has it. */
export function takeTurn(path: string): (() => void) | undefined {
  for (let tries = 0; tries < 2; tries++) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (!isLeftOver(path)) return undefined;
      rmSync(path, { force: true });
    }
  }
  return undefined;
}

function isLeftOver(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || Date.now() - stats.mtimeMs > STALE_MS) return true;
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    if (!Number.isInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
