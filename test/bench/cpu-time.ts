/** What a process has used of the processor, all its threads together. Linux only: it reads /proc. */
import { readFileSync } from 'node:fs';

/** The kernel counts in ticks of 10 ms. */
const TICK_MS = 10;

export function cpuMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name may hold spaces and brackets; the fields that count come after its last bracket.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
