/** What a request did to a server, in a line: its answer, how long it took, how long the event loop was held. */
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf, type Target } from './arena/target.js';
import type { Answer } from './wire/http.js';

const PATIENCE_MS = 20_000;

export interface Observed {
  readonly what: string;
  request(target: Target): Promise<Pick<Answer, 'code' | 'bytes'>>;
  readonly patienceMs?: number;
}

/** One after another on one server; after one that ends it, on a new one. */
export async function observeEach(
  serve: () => Promise<Target>,
  all: readonly Observed[],
  say: (line: string) => void,
): Promise<void> {
  let target = await serve();
  for (const one of all) {
    if (memoryOf(target.pid) === undefined) target = await serve();
    say(await observe(target, one));
  }
  await target.process.stop('SIGKILL');
}

/** Ends the server afterwards when it does not answer. */
export async function observe(target: Target, observed: Observed): Promise<string> {
  const { what, patienceMs = PATIENCE_MS } = observed;
  await target.recording.mark();
  const begun = performance.now();
  const died = target.process.exited.then(() => 'died' as const);
  const answer = await Promise.race([observed.request(target), died, sleep(patienceMs, 'silent' as const)]);
  const seconds = (performance.now() - begun) / 1_000;
  if (answer === 'died') return `${what}: the process died after ${seconds.toFixed(1)} s`;
  const memory = megabytes(target.pid);
  if (answer === 'silent') {
    await target.process.stop('SIGKILL');
    return `${what}: no answer within ${seconds.toFixed(0)} s, ${memory}`;
  }
  const { code, bytes } = answer;
  // A connection that breaks may come before the news that the process has ended.
  const recorded = await Promise.race([target.recording.next(), died]);
  if (recorded === 'died') return `${what}: the process died after ${seconds.toFixed(1)} s`;
  const { longestMs } = recorded;
  const loop = `loop held ${held(longestMs)}`;
  return `${what}: ${code} in ${seconds.toFixed(2)} s, ${sized(bytes)} back, ${loop}, ${memory}`;
}

/** The timer of the recorder turns every 10 ms by itself. */
const held = (longestMs: number): string => `${Math.max(0, longestMs - 10).toFixed(0)} ms`;

export const megabytes = (pid: number): string => `${(memoryOf(pid)?.now ?? 0).toFixed(0)} MB`;

export function sized(bytes: number): string {
  return bytes < 100_000 ? `${bytes} B` : `${(bytes / 1e6).toFixed(1)} MB`;
}
