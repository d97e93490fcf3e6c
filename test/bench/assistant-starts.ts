/**
 * What an assistant waits for before it can work: the first answer of a pipe that starts the server, of one that joins it,
 * and the text of the hook at the start of a conversation. Each time is from the start of a process.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cpuMs, serverOn } from './cpu-time.js';
import { ended, start, type Timing } from './spans.js';

export interface Place {
  readonly binary: string;
  /** The home of a user that nothing else uses. */
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
}

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
})}\n`;

export async function bareNode({ env }: Place): Promise<Timing> {
  const begun = performance.now();
  const { cpu } = await ended(start(['-p', '0'], { env }));
  return { time: performance.now() - begun, cpu };
}

/** A folder that nobody serves: the pipe starts the server and asks it. */
export async function coldStart(place: Place): Promise<Timing> {
  const folder = mkdtempSync(join(place.home, 'cold-'));
  const { time, cpu } = await firstAnswer(place, folder);
  const server = serverOn(folder);
  const both = cpu + (server === undefined ? 0 : cpuMs(server));
  await stop(place, folder);
  rmSync(folder, { recursive: true, force: true });
  return { time, cpu: both };
}

export async function firstAnswer({ binary, project, env }: Place, folder: string): Promise<Timing> {
  const begun = performance.now();
  const child = start([binary, 'mcp', '--agent', 'bench', '--data-dir', folder], {
    env,
    cwd: project,
    input: INITIALIZE,
    staysOpen: true,
  });
  if (child.stdout) await once(child.stdout, 'data');
  const time = performance.now() - begun;
  const cpu = child.pid === undefined ? 0 : cpuMs(child.pid);
  child.stdin?.end();
  await once(child, 'close');
  return { time, cpu };
}

export interface Hooked extends Timing {
  /** It prints nothing when its time is over before it knows anything. */
  readonly silent: boolean;
}

export async function hookSessionStart(
  { binary, project, env }: Place,
  folder: string,
  agent: string,
): Promise<Hooked> {
  const payload = { session_id: '6f1c2b3a-0d4e-4c55-9a10-2b7f3d9e1a01', cwd: project, source: 'startup' };
  const args = [binary, 'hook', 'session-start', '--client', 'codex', '--agent', agent, '--data-dir', folder];
  const begun = performance.now();
  const { said, cpu } = await ended(start(args, { env, cwd: project, input: JSON.stringify(payload) }));
  return { time: performance.now() - begun, cpu, silent: said === '' };
}

export const stop = ({ binary, env }: Place, folder: string): Promise<unknown> =>
  ended(start([binary, 'stop', '--data-dir', folder], { env }));
