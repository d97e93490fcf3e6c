import { readFileSync } from 'node:fs';

/** Whether a process that is not ours to wait for has ended; one that nobody has waited for yet has, too. */
export function hasEnded(pid: number): boolean {
  try {
    return /\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
