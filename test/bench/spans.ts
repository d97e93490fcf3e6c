/** Times of single things, and what they amount to. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpuMs } from './cpu-time.js';

export interface Span {
  readonly median: number;
  readonly p95: number;
}

/** Of 20, the nineteenth. */
export function spanOf(times: readonly number[]): Span {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
}

/** How long one thing took, and what it used of the processor. */
export interface Timing {
  readonly time: number;
  readonly cpu: number;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

export interface Started {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Written to its stdin, which is then closed, unless it is to stay open. */
  readonly input?: string;
  readonly staysOpen?: boolean;
}

export function start(
  args: readonly string[],
  { env, cwd, input, staysOpen = false }: Started,
): ChildProcess {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], env, cwd });
  child.stdin?.on('error', () => undefined);
  if (input !== undefined) child.stdin?.write(input);
  if (!staysOpen) child.stdin?.end();
  return child;
}

/** What it printed, when it has ended; and what it had used of the processor when it began to print. */
export async function ended(child: ChildProcess): Promise<{ readonly said: string; readonly cpu: number }> {
  let said = '';
  let cpu = 0;
  child.stdout?.on('data', (chunk) => {
    if (said === '' && child.pid !== undefined) cpu = cpuMs(child.pid);
    said += chunk;
  });
  await once(child, 'close');
  return { said, cpu };
}
