/** The server has a core of its own; everything that talks to it shares the other one. */
import { execFileSync } from 'node:child_process';

const SERVER_CORE = '0';
const LOAD_CORE = '1';

/** To be put before the command that starts the server. */
export const ON_SERVER_CORE = ['taskset', '-c', SERVER_CORE] as const;

/** Moves this process, and with it every process that it starts, to the core of the load. */
export function moveToLoadCore(): void {
  execFileSync('taskset', ['-a', '-c', '-p', LOAD_CORE, String(process.pid)], { stdio: 'ignore' });
}
