/**
 * The real `handover` command, as a user runs it: a process, its two outputs, its exit code. This is the only place
 * that starts it, apart from the MCP client, which starts its own process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const BINARY = fileURLToPath(new URL('../../packages/server/bin/handover.js', import.meta.url));

export interface HandoverOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Written to stdin, which is closed after `openMs`, or when stdout has said `openUntil`; without it stdin is empty. */
  readonly input?: string;
  readonly openMs?: number;
  readonly openUntil?: RegExp;
  readonly execArgv?: readonly string[];
  readonly cwd?: string;
  /** Another build's command. */
  readonly binary?: string;
  /** A command that starts ours, such as `taskset -c 0`. */
  readonly launcher?: readonly string[];
}

export interface ReadyLine {
  readonly line: string;
  readonly grpc: string;
  readonly http: string;
  readonly store: string;
  readonly auth: string;
  /** Milliseconds from the start of the process. */
  readonly afterMs: number;
}

/** Only PATH, HOME and the given variables: the rest of the environment must not change what the command does. */
export function cleanEnv(given: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, ...given };
}

export class HandoverProcess {
  readonly child: ChildProcess;
  /** The exit code, when both outputs are complete. */
  readonly exited: Promise<number | null>;
  stdout = '';
  stderr = '';
  readonly #started = performance.now();

  constructor(args: readonly string[], options: HandoverOptions = {}) {
    const { env = {}, input, openMs = 0, openUntil, execArgv = [] } = options;
    const { binary = BINARY, launcher = [], cwd } = options;
    const [command = process.execPath, ...rest] = [
      ...launcher,
      process.execPath,
      ...execArgv,
      binary,
      ...args,
    ];
    this.child = spawn(command, rest, {
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      env: cleanEnv(env),
      cwd,
    });
    this.child.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
      if (openUntil?.test(this.stdout)) this.child.stdin?.end();
    });
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
    // A command may end before it has read all its input: ignore the error of the pipe.
    this.child.stdin?.on('error', () => undefined);
    if (input !== undefined) {
      this.child.stdin?.write(input);
      if (!openUntil) setTimeout(() => this.child.stdin?.end(), openMs);
    }
    this.exited = new Promise((resolve) => this.child.once('close', resolve));
  }

  /** Resolves with the ready line; rejects with the output when the process ends without one. */
  ready(): Promise<ReadyLine> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = /^handover ready grpc=(\S+) http=(\S+) store=(\S+) auth=(\S+)$/m.exec(this.stdout);
        if (!found) return;
        const [line, grpc = '', http = '', store = '', auth = ''] = found;
        resolve({ line, grpc, http, store, auth, afterMs: performance.now() - this.#started });
      };
      look();
      this.child.stdout?.on('data', look);
      void this.exited.then((code) =>
        reject(new Error(`ended with ${code} before it was ready:\n${this.stdout}${this.stderr}`)),
      );
    });
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }
}
