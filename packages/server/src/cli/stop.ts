/** `handover stop`: ends the server of a data folder as a signal does, after the calls that are under way. */
import { setTimeout as pause } from 'node:timers/promises';
import { isFields } from '@handover/core';
import type { Command } from 'commander';
import { visitServer } from '../doors/socket/local-client.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import { noServer, notAllowed, refused, timedOut } from './conventions/failure.js';
import {
  type DataFlags,
  type JsonFlags,
  ownDataFolder,
  withDataDir,
  withJson,
  withTimeout,
} from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { requireUnixSockets } from './unix-sockets.js';

type StopFlags = DataFlags & JsonFlags & { readonly timeout: number };

const PATIENCE_SECS = 30;
const POLL_MS = 40;
const VISIT_MS = 5_000;

export function describeStop(command: Command): void {
  withJson(withDataDir(withTimeout(command, PATIENCE_SECS)));
  const exits = [ExitCode.Failed, ExitCode.Usage, ExitCode.NotAllowed, ExitCode.NoServer, ExitCode.TimedOut];
  acting(command, exits, (output, flags: StopFlags) => stop(flags, output));
}

async function stop(flags: StopFlags, { out }: Output): Promise<ExitCode> {
  requireUnixSockets();
  const folder = ownDataFolder(flags);
  const ended = await ask(folder, 'stop');
  if (!ended) throw noServer('no server runs on this data folder', 'There is nothing to stop');
  const deadline = Date.now() + flags.timeout * 1_000;
  // Another one may be there already: a connected assistant starts it.
  for (let now: Running | undefined = ended; now?.id === ended.id; now = await ask(folder, 'server')) {
    if (Date.now() >= deadline)
      throw timedOut(`the server (process ${ended.pid}) is still ending`, 'Wait, or give a longer --timeout');
    await pause(POLL_MS);
  }
  const said = `The server (process ${ended.pid}) has ended. A connected assistant starts another when it needs one.`;
  out(flags.json ? `${JSON.stringify({ stopped: true, pid: ended.pid })}\n` : `${said}\n`);
  return ExitCode.Done;
}

interface Running {
  readonly pid: number;
  /** Of this run: a later process may have the same number. */
  readonly id: string;
}

/** The server ends by itself: its process may not have this number where the command runs, as in a container. */
async function ask(folder: string, wanted: 'stop' | 'server'): Promise<Running | undefined> {
  const visit = await visitServer(folder, { wanted }, VISIT_MS);
  if (visit.kind === 'absent') return undefined;
  if (visit.kind === 'refused') throw notAllowed(visit.error);
  visit.socket.destroy();
  const { answer } = visit;
  if (isFields(answer) && typeof answer.pid === 'number' && typeof answer.id === 'string')
    return { pid: answer.pid, id: answer.id };
  throw refused('the server cannot be ended this way', 'End it where it was started');
}
