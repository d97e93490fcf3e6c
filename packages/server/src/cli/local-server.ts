/**
 * Joining the server of a data folder, and starting it when there is none.
 *
 * J1. Everyone who finds no server starts one; the folder's lock lets one of them live, and all connect to that one.
 *     The others end by themselves.
 * J2. The server is a process of its own that outlives whoever started it; it ends when nobody has used it for a while.
 * J3. It writes to a file in the data folder, never to the assistant's pipes: an open pipe would keep the assistant
 *     waiting for it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Asked, type Visit, visitServer } from '../doors/socket/local-client.js';
import { openPlainLog } from '../platform/plain-file.js';
import { openDataFolder } from '../store/open-data-folder.js';
import { noServer, notAllowed } from './conventions/failure.js';

const LOG_FILE = 'local-server.log';
const MAX_LOG_BYTES = 4 * 1_048_576;
const POLL_MS = 40;
const FIRST_RESPAWN_MS = 500;
const GIVE_UP_MS = 30_000;
const VISIT_MS = 5_000;

export type OpenVisit = Extract<Visit, { kind: 'open' }>;

/** Who joins: which window of which agent, and what it is about. */
export type Joining = Omit<Asked, 'wanted'>;

export async function joinServer(folder: string, joining: Joining): Promise<OpenVisit> {
  return visitOrStart(folder, { wanted: 'mcp', ...joining });
}

/** Whatever is asked, a server that does not run is started for it. */
export async function visitOrStart(folder: string, asked: Asked): Promise<OpenVisit> {
  const deadline = Date.now() + GIVE_UP_MS;
  const starter = new Starter(folder);
  while (Date.now() < deadline) {
    const visit = await visitServer(folder, asked, VISIT_MS);
    if (visit.kind === 'open') return visit;
    if (visit.kind === 'refused') throw notAllowed(visit.error);
    starter.startUnlessRunning();
    await pause(POLL_MS);
  }
  throw noServer(`no server could be started on ${folder}`, `${join(folder, LOG_FILE)} says why`);
}

/** What this one connection is like is not what the server is like for all. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const { HANDOVER_AGENT_ID: _, HANDOVER_TOOLSETS: __, ...env } = process.env;
  return env;
}

class Starter {
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #notBefore = 0;
  #wait = FIRST_RESPAWN_MS;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A child that has ended lost the race, perhaps to a server that was just ending: then another try is due. */
  startUnlessRunning(): void {
    const running =
      this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
    if (running || Date.now() < this.#notBefore) return;
    this.#notBefore = Date.now() + this.#wait;
    this.#wait *= 2;
    this.#child = startDetached(this.#folder);
  }
}

function startDetached(folder: string): ChildProcess {
  // Before the log file is made: a folder that others can read is made private only while it is empty.
  openDataFolder(folder, 'local');
  const log = openPlainLog(join(folder, LOG_FILE), MAX_LOG_BYTES);
  try {
    const [, script = ''] = process.argv;
    const child = spawn(
      process.execPath,
      [...process.execArgv, script, 'serve', '--for-assistants', '--data-dir', folder],
      { detached: true, stdio: ['ignore', 'ignore', log], env: serverEnvironment() },
    );
    // A process that could not be started counts as one that has ended.
    child.on('error', () => undefined);
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}
