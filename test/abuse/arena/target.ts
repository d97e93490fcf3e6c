/** The server under attack: the `handover serve` of any checkout, on its own core, with the recorder inside. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HandoverProcess } from '../../kit/handover-process.js';
import { ON_SERVER_CORE } from './cores.js';
import { IDENTITIES } from './identities.js';
import { Recording } from './recording.js';

const RECORDER = new URL('../processes/loop-recorder.mjs', import.meta.url).href;
export const THIS_CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

export interface TargetOptions {
  readonly checkout: string;
  /** Without it a new one is made. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** The largest heap of the process, in MB; without it what Node takes by itself. */
  readonly heapMb?: number;
}

/** What another process has to know of it. */
export interface TargetAddress {
  readonly grpc: string;
  readonly http: string;
  readonly pid: number;
  readonly recording: string;
}

export interface Target extends Omit<TargetAddress, 'recording'> {
  readonly folder: string;
  readonly process: HandoverProcess;
  readonly recording: Recording;
  readonly address: TargetAddress;
}

const folders: string[] = [];
const servers: HandoverProcess[] = [];
// Nothing is left behind, however this process ends.
process.on('exit', () => {
  for (const { child } of servers) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handover-abuse-'));
  folders.push(folder);
  return folder;
}

/** The command of a checkout, not yet known to be ready: for starts that may be refused. */
export function launch(options: TargetOptions) {
  const { checkout, folder = newFolder(), env = IDENTITIES, args = [], heapMb } = options;
  const heap = heapMb === undefined ? '' : ` --max-old-space-size=${heapMb}`;
  const recording = join(newFolder(), 'loop.jsonl');
  const places = ['--bind', '127.0.0.1:0', '--http-port', '0', '--data-dir', folder];
  const launched = new HandoverProcess(['serve', ...places, '--log-level', 'warn', ...args], {
    binary: resolve(checkout, 'packages/server/bin/handover.js'),
    launcher: ON_SERVER_CORE,
    env: { ...env, NODE_OPTIONS: `--import ${RECORDER}${heap}`, ABUSE_RECORDING: recording },
  });
  servers.push(launched);
  return { process: launched, folder, recording };
}

export async function startTarget(options: TargetOptions): Promise<Target> {
  const { process: launched, folder, recording } = launch(options);
  const { grpc, http } = await launched.ready();
  const pid = launched.child.pid ?? 0;
  return {
    process: launched,
    folder,
    grpc,
    http,
    pid,
    recording: new Recording(recording, pid),
    address: { grpc, http, pid, recording },
  };
}

/** Megabytes: resident now, and the most that ever was. Undefined when the process is gone. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (name: string) =>
      (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1_024) / 1e6;
    return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  } catch {
    return undefined;
  }
}
