/** What waits in the spool is sent by a process of its own: whoever starts it neither waits for it nor hears of it. */
import { spawn } from 'node:child_process';
import { waiting } from './spool.js';

/** It outlives us: some clients end their hooks a second after they themselves have ended. */
export function startCapture(folder: string): void {
  const [, script = ''] = process.argv;
  const args = [...process.execArgv, script, 'capture', '--spool', '--data-dir', folder];
  const child = spawn(process.execPath, args, { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
}

/** What an earlier hook could not send, because its server was away or its process was killed. */
export function sendWhatWaits(folder: string): void {
  if (waiting(folder).length > 0) startCapture(folder);
}
