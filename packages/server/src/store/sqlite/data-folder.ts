/**
 * The data folder and its files: only their owner may enter or read them.
 *
 * Everything here happens before SQLite opens a file. Afterwards no file call may touch a database file: closing any
 * descriptor of it would drop the locks that SQLite holds in this process (POSIX).
 */
import { constants } from 'node:fs';
import { access, chmod, open, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FaultCode, HandoverError } from '@handover/core';
import { makeFolder } from '../../platform/make-folder.js';
import { causeOf } from './sqlite-error.js';

const DATABASE = 'handover.db';
const LOCK = 'lock.db';

export interface DataFolder {
  readonly directory: string;
  readonly database: string;
  readonly lock: string;
}

export function dataFolder(path: string): DataFolder {
  const directory = resolve(path);
  return { directory, database: join(directory, DATABASE), lock: join(directory, LOCK) };
}

export async function prepareDataFolder(path: string): Promise<DataFolder> {
  const folder = dataFolder(path);
  try {
    const created = makeFolder(folder.directory);
    await tightenOwnFolder(folder);
    // Made here, empty, because SQLite would create them with the mode that the umask leaves. Its -wal and -shm files
    // take the mode of the database.
    for (const file of [folder.database, folder.lock]) await createPrivate(file);
    await syncUpTo(folder.directory, created);
    return folder;
  } catch (thrown) {
    throw new HandoverError(
      FaultCode.CONFIGURATION,
      `the data folder ${folder.directory} cannot be used: ${causeOf(thrown)}`,
      { cause: thrown },
    );
  }
}

/** Only a folder that is empty or already ours: somebody may have pointed us at a shared one. */
async function tightenOwnFolder({ directory }: DataFolder): Promise<void> {
  const names = await readdir(directory);
  if (names.length > 0 && !names.includes(DATABASE)) return access(directory, constants.W_OK);
  const { mode } = await stat(directory);
  if ((mode & 0o077) !== 0) await chmod(directory, 0o700);
}

async function createPrivate(file: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.close();
  } catch (thrown) {
    if (!isCode(thrown, 'EEXIST')) throw thrown;
    // By name, not by descriptor: see above.
    for (const name of [file, `${file}-wal`, `${file}-shm`]) await makePrivate(name);
  }
}

async function makePrivate(file: string): Promise<void> {
  try {
    if (((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600);
  } catch (thrown) {
    if (!isCode(thrown, 'ENOENT')) throw thrown;
  }
}

/** A new name is durable only when its folder is synced, up to the first folder that was there before. */
async function syncUpTo(directory: string, firstCreated: string | undefined): Promise<void> {
  // Windows cannot sync a folder and does not need to.
  if (process.platform === 'win32') return;
  const top = firstCreated === undefined ? directory : dirname(resolve(firstCreated));
  for (let at = directory; ; at = dirname(at)) {
    const handle = await open(at, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (at === top || at === dirname(at)) return;
  }
}

function isCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}
