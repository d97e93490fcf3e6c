/** The real command, as a user runs it: a process, its two outputs, its exit code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { until } from './until.js';

const BINARY = fileURLToPath(new URL('../../packages/server/bin/handover.js', import.meta.url));

export class Handover {
  readonly #child: ChildProcess;
  readonly exited: Promise<number | null>;
  stdout = '';
  stderr = '';
  code: number | null | undefined;

  /** Only the given environment: nothing of who runs the tests decides what the command does. */
  constructor(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const { PATH = '' } = process.env;
    const home = temporaryFolder();
    this.#child = spawn(process.execPath, [BINARY, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH, HOME: home, ...env },
    });
    this.#child.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
    });
    this.#child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.exited = new Promise((resolve) => {
      this.#child.on('close', (code) => {
        this.code = code;
        resolve(code);
      });
    });
  }

  /** The ready line's fields. */
  async ready(): Promise<Readonly<Record<'grpc' | 'http' | 'store' | 'auth', string>>> {
    await until(() => this.stdout.includes('\n') || this.code !== undefined);
    const line = /^handover ready grpc=(\S+) http=(\S+) store=(\S+) auth=(\S+)$/m.exec(this.stdout);
    if (!line) throw new Error(`not ready: ${this.stdout}${this.stderr}`);
    const [, grpc = '', http = '', store = '', auth = ''] = line;
    return { grpc, http, store, auth };
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal);
    return this.exited;
  }
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Gone when the tests are. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handover-'));
  folders.push(folder);
  return folder;
}

const PORTS = ['--bind', '127.0.0.1:0', '--http-port', '0'];

/** `serve` on free ports. */
export function serve(args: readonly string[], env: Readonly<Record<string, string>> = {}): Handover {
  return new Handover(['serve', ...PORTS, ...args], env);
}
