/** Starts a server as a separate process, in dev mode unless told, and waits for its ready line. */
import type { ChildProcess } from 'node:child_process';
import { type HandoverOptions, HandoverProcess } from './handover-process.js';
import { NO_RATE_LIMITS } from './no-rate-limits.js';

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly grpc: string;
  readonly http: string;
  readonly readyLine: string;
  /** Milliseconds from spawn to the ready line. */
  readonly startedInMs: number;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  readonly stderr: () => string;
}

export interface ServerProcessOptions extends Pick<HandoverOptions, 'env' | 'execArgv' | 'binary'> {
  /** Without it the store is in memory; `DEFAULT` leaves it to the command. */
  readonly dataDir?: string | typeof DEFAULT;
  readonly port?: number;
  readonly args?: readonly string[];
}

export const DEFAULT = Symbol('default');

export async function startServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const { dataDir, port = 0, args = ['--dev'], env, ...how } = options;
  const places = ['--bind', `127.0.0.1:${port}`, '--http-port', '0'];
  const server = new HandoverProcess(
    ['serve', ...args, ...places, '--log-level', 'warn', ...storeFlags(dataDir)],
    {
      ...how,
      env: { ...NO_RATE_LIMITS, ...env },
    },
  );
  const { line, grpc, http, afterMs } = await server.ready();
  return {
    child: server.child,
    grpc,
    http,
    readyLine: line,
    startedInMs: afterMs,
    stop: (signal) => server.stop(signal),
    stderr: () => server.stderr,
  };
}

function storeFlags(dataDir: ServerProcessOptions['dataDir']): readonly string[] {
  if (dataDir === DEFAULT) return [];
  return dataDir === undefined ? ['--memory-only'] : ['--data-dir', dataDir];
}
