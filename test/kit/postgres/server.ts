/**
 * A real PostgreSQL for tests, on a socket of its own in a folder of its own.
 *
 * P1. It ends with the test process, also when that is killed (keeper.mjs).
 * P2. It keeps its promises: fsync stays on, unless a test asks for a server that loses.
 * P3. No port: on one of the ephemeral range a client that retries can connect to itself, and block the restart.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { until } from '../until.js';
import { giveFolder, startOf } from './binaries.js';

const KEEPER = fileURLToPath(new URL('./keeper.mjs', import.meta.url));

/** Small, and quick to start. */
const SETTINGS = { listen_addresses: '', max_connections: '120', shared_buffers: '64MB' };

export interface PostgresServer {
  /** As the owner of everything, in the database `postgres` unless another is named. */
  url(more?: UrlParts): string;
  /** Kills all of its processes; `start` brings it back with what it had stored. */
  kill(): Promise<void>;
  start(settings?: Readonly<Record<string, string>>, as?: { readonly standby?: boolean }): Promise<void>;
  /** Runs SQL in the database `postgres`, or in another. */
  sql(text: string, database?: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  stop(): Promise<void>;
  readonly socketFolder: string;
}

export interface UrlParts {
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly schema?: string;
}

export interface ServerOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly initdb?: readonly string[];
}

export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  // A socket's path has little room, so the folder's name is short.
  const folder = mkdtempSync(join(tmpdir(), 'hpg-'));
  const data = join(folder, 'data');
  const socketFolder = join(folder, 's');
  mkdirSync(socketFolder);
  for (const given of [folder, socketFolder]) giveFolder(given);
  initialise(data, options.initdb ?? ['-E', 'UTF8', '--locale=C']);
  let keeper: ChildProcess | undefined;
  let said = '';

  const url = ({ user = 'postgres', password, database = 'postgres', schema }: UrlParts = {}): string => {
    const who = password === undefined ? user : `${user}:${encodeURIComponent(password)}`;
    const path = schema === undefined ? '' : `?options=-csearch_path%3D${schema}`;
    return `postgresql://${who}@${encodeURIComponent(socketFolder)}/${database}${path}`;
  };

  async function start(settings = options.settings ?? {}, { standby = false } = {}): Promise<void> {
    if (standby) writeFileSync(join(data, 'standby.signal'), '');
    const flags = Object.entries({ ...SETTINGS, ...settings, unix_socket_directories: socketFolder });
    const args = ['-D', data, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    const { command, args: rest, uid = '' } = startOf('postgres', args);
    said = '';
    // The folder is gone with the last keeper only: a killed server may come back.
    const started = spawn(process.execPath, [KEEPER, '', String(uid), command, ...rest], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    keeper = started;
    started.stderr?.on('data', (chunk: Buffer) => {
      if (said.length < 20_000) said += chunk.toString();
    });
    letGo(started);
    await until(
      async () => {
        if (started.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`);
        return isThere(url());
      },
      Boolean,
      { everyMs: 20 },
    );
  }

  async function end(signal: 'kill' | 'stop'): Promise<void> {
    const ending = keeper;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    ending.ref();
    const over = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
    // SIGQUIT, which closing stdin leads to, ends all processes at once without a checkpoint.
    if (signal === 'kill') ending.kill('SIGTERM');
    else ending.stdin?.end();
    await over;
  }

  const guard = watchFolder(folder);
  await start();
  return {
    url,
    socketFolder,
    start,
    kill: () => end('kill'),
    async sql(text, database) {
      const client = new pg.Client({ connectionString: url(database === undefined ? {} : { database }) });
      await client.connect();
      try {
        const result = (await client.query(text)) as pg.QueryResult | pg.QueryResult[];
        return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? [];
      } finally {
        await client.end();
      }
    },
    async stop() {
      await end('stop');
      guard.ref();
      const over = new Promise<void>((resolve) => guard.once('exit', () => resolve()));
      guard.stdin?.end();
      await over;
    },
  };
}

/** Removes the folder when the test process has ended, however it ended. */
function watchFolder(folder: string): ChildProcess {
  const guard = spawn(process.execPath, [KEEPER, folder, '', 'sleep', 'infinity'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  letGo(guard);
  return guard;
}

/** The test process may end without it. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const pipe of [child.stdin, child.stderr]) (pipe as Socket | null)?.unref();
}

function initialise(data: string, flags: readonly string[]): void {
  const { command, args, uid } = startOf('initdb', [
    ...['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--no-instructions'],
    ...flags,
  ]);
  const { status, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    ...(uid !== undefined && { uid, gid: uid }),
  });
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
}

async function isThere(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
