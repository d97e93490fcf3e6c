/** Runs the command with a temporary home, so that its default folder belongs to no user. */
import { HandoverProcess } from './handover-process.js';
import { temporaryFolder } from './temporary-folder.js';

type Env = Readonly<Record<string, string>>;

export function handover(args: readonly string[], env: Env = {}): HandoverProcess {
  return new HandoverProcess(args, { env: { HOME: temporaryFolder(), ...env } });
}

/** `serve` on free ports. */
export function serve(args: readonly string[], env: Env = {}): HandoverProcess {
  return handover(['serve', '--bind', '127.0.0.1:0', '--http-port', '0', ...args], env);
}
