/** The real server as a child process, in dev mode, keeping nothing. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const binary = fileURLToPath(new URL('../../packages/server/bin/handover.js', import.meta.url));
const args = ['serve', '--dev', '--memory-only', '--bind', '127.0.0.1:0', '--http-port', '0'];

export interface ServerProcess {
  readonly address: string;
  stop(): Promise<void>;
}

export async function startServer(): Promise<ServerProcess> {
  const child = spawn(process.execPath, [binary, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ready = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const gone = once(child, 'exit').then(() => {
    throw new Error(`the server did not start: ${errors}`);
  });
  const [line] = await Promise.race([ready, gone]);
  gone.catch(() => undefined);
  const address = /grpc=(\S+)/.exec(line)?.[1];
  if (!address) throw new Error(`no address in: ${line}`);
  return { address, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}
