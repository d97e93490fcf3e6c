/** Real processes: assistants with the official client over `handover mcp`, and what they leave behind. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const BINARY = fileURLToPath(new URL('../../packages/server/bin/handover.js', import.meta.url));

export type Era = 'modern' | 'legacy';

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'handover-stdio-'));

/** An environment without anything of this process's own. */
export const cleanEnv = (over: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  HANDOVER_IDLE_SECS: '30',
  ...over,
});

export interface AssistantOptions {
  readonly name: string;
  readonly era?: Era;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export async function assistant(folder: string, options: AssistantOptions): Promise<Client> {
  const { name, era = 'legacy', args = [], env = {} } = options;
  const negotiation = era === 'modern' ? { versionNegotiation: { mode: 'auto' as const } } : {};
  const client = new Client({ name, version: '1.0.0' }, negotiation);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, 'mcp', '--data-dir', folder, ...args],
    env: cleanEnv(env),
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

interface Answer {
  readonly success: boolean;
  readonly [field: string]: unknown;
}

export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  const [block] = result.content as readonly { readonly text: string }[];
  return JSON.parse(block?.text ?? '{}') as Answer;
}

/** Processes that serve this folder. */
export function serversOn(folder: string): readonly number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.includes(' serve ') && line.includes(folder) && !line.includes('ps -eo'))
    .map((line) => Number.parseInt(line.trim(), 10));
}

/** Ends what was started on the folder, by its number, and removes it. */
export async function cleanUp(folder: string): Promise<void> {
  for (const pid of serversOn(folder)) kill(pid, 'SIGTERM');
  await waitUntil(() => serversOn(folder).length === 0);
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

export async function waitUntil(what: () => boolean, timeoutMs = 15_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!what()) {
    if (Date.now() > end) throw new Error(`not so within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** One command to its end; `input` goes to stdin, which is then closed after `openMs`. */
export function run(
  args: readonly string[],
  { env = {}, input, openMs = 0 }: { env?: Record<string, string>; input?: string; openMs?: number } = {},
): Promise<Ran> {
  const began = performance.now();
  const child = spawn(process.execPath, [BINARY, ...args], { env: cleanEnv(env) });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  if (input !== undefined) child.stdin.write(input);
  setTimeout(() => child.stdin.end(), openMs);
  child.stdin.on('error', () => undefined);
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr, ms: performance.now() - began })),
  );
}
