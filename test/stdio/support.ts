/** Real processes: assistants with the official client over `handover mcp`, and what they leave behind. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll } from 'vitest';
import { type HandoverOptions, HandoverProcess } from '../kit/handover-process.js';
import { connectStdio, newDataFolder, type StdioOptions } from '../kit/mcp-clients.js';
import { until } from '../kit/until.js';

/** Long enough that a server does not end of itself between two steps of a test. */
const STAYS = { HANDOVER_IDLE_SECS: '30' };

export function assistant(folder: string, options: StdioOptions): Promise<Client> {
  return connectStdio(folder, { ...options, env: { ...STAYS, ...options.env } });
}

/** A folder for a whole file, and its assistants; all of it is gone after the last test. */
export function useAssistants(): {
  readonly folder: string;
  readonly open: (options: StdioOptions) => Promise<Client>;
} {
  const folder = newDataFolder();
  const clients: Client[] = [];
  afterAll(async () => {
    for (const client of clients) await client.close().catch(() => undefined);
    await cleanUp(folder);
  });
  const open = async (options: StdioOptions) => {
    const client = await assistant(folder, options);
    clients.push(client);
    return client;
  };
  return { folder, open };
}

/** Processes that serve this folder. */
export function serversOn(folder: string): readonly number[] {
  return commandLines()
    .filter(([, line]) => line.includes(' serve ') && line.includes(folder))
    .map(([pid]) => pid);
}

/** Tests look every few milliseconds: where the system shows its processes as files, no other program is started for that. */
function commandLines(): readonly (readonly [pid: number, line: string])[] {
  if (!existsSync('/proc/self/cmdline')) {
    const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
    return lines.map((line) => [Number.parseInt(line.trim(), 10), line]);
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => [Number(pid), commandLine(pid)]);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}

/** Ends what was started on the folder, by its number, and removes it. */
export async function cleanUp(folder: string): Promise<void> {
  for (const pid of serversOn(folder)) kill(pid, 'SIGTERM');
  await until(() => serversOn(folder).length === 0);
  rmSync(folder, { recursive: true, force: true });
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

export function logOf(folder: string): readonly Record<string, unknown>[] {
  const path = join(folder, 'local-server.log');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** One command to its end; `input` goes to stdin, which is then closed after `openMs`. */
export async function run(args: readonly string[], options: HandoverOptions = {}): Promise<Ran> {
  const began = performance.now();
  const command = new HandoverProcess(args, { ...options, env: { ...STAYS, ...options.env } });
  const code = await command.exited;
  return { code, stdout: command.stdout, stderr: command.stderr, ms: performance.now() - began };
}
