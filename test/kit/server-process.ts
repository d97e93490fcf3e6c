/** The real `handover` command as a child process, from the built files, until its ready line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const BINARY = fileURLToPath(new URL('../../packages/server/bin/handover.js', import.meta.url));

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly grpc: string;
  readonly http: string;
  readonly readyLine: string;
  /** Milliseconds from spawn to the ready line. */
  readonly startedInMs: number;
  kill(signal: NodeJS.Signals): Promise<number | null>;
  readonly stderr: () => string;
}

export interface ServerProcessOptions {
  readonly dataDir?: string;
  readonly port?: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly execArgv?: readonly string[];
  /** Another build's command. */
  readonly binary?: string;
}

/** Limits out of the way: these tests are about something else. */
export const NO_RATE_LIMITS = {
  MACP_SESSION_START_LIMIT_PER_MINUTE: '1000000',
  MACP_MESSAGE_LIMIT_PER_MINUTE: '1000000',
};

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

export function startServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const { dataDir, port = 0, args = ['--dev'], env = {}, execArgv = [], binary = BINARY } = options;
  const store = dataDir === undefined ? ['--memory-only'] : ['--data-dir', dataDir];
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...execArgv,
      binary,
      'serve',
      ...args,
      '--bind',
      `127.0.0.1:${port}`,
      '--http-port',
      '0',
      '--log-level',
      'warn',
      ...store,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...NO_RATE_LIMITS, ...env } },
  );
  let stdout = '';
  let stderr = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      reject(new Error(`the server ended with ${code} before it was ready:\n${stderr}`)),
    );
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
      const ready = /^handover ready grpc=(\S+) http=(\S+).*$/m.exec(stdout);
      if (!ready) return;
      resolve({
        child,
        grpc: ready[1] ?? '',
        http: ready[2] ?? '',
        readyLine: ready[0],
        startedInMs: performance.now() - started,
        kill: (signal) => {
          child.kill(signal);
          return exited;
        },
        stderr: () => stderr,
      });
    });
  });
}
