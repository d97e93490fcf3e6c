/** What a process has used of the processor, all its threads together. Linux only: it reads /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in ticks of 10 ms. */
const TICK_MS = 10;

export function cpuMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name may hold spaces and brackets; the fields that count come after its last bracket.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The server of a data folder. */
export function serverOn(folder: string): number | undefined {
  const serves = (pid: string) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return line.includes('\0serve\0') && line.includes(folder);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  };
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && serves(name));
  return pid === undefined ? undefined : Number(pid);
}

/** Of the thread that runs JavaScript; without /proc nothing is known. */
export function threadCpuMs(): number {
  try {
    const [ran = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(ran) / 1e6;
  } catch {
    return 0;
  }
}
