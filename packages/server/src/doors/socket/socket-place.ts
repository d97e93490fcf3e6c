/**
 * Where the server of a data folder listens for assistants of the same user: `local.sock` in the folder.
 *
 * K1. Only the user can reach the socket: the data folder is 0700, and so is the short folder of K2.
 * K2. The path of a socket may have about 100 bytes. If the path of `local.sock` is longer, the socket is in a short
 *     folder of its own (0700, unpredictable name), and `local.sock` is a link to it.
 * K3. Whoever connects believes only a socket of this user, in a folder of this user: another could answer in the server's
 *     place.
 * K4. A server that listens holds the folder's lock, so a file that it finds at that place is left over and may be
 *     removed.
 */
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isOpenToOthers, isOurs } from '../../platform/whose.js';

const NAME = 'local.sock';
/** macOS takes 103 bytes, Linux 107. */
const MAX_PATH_BYTES = 100;
const SHORT_PREFIX = 'handover-';

export interface SocketPlace {
  /** What to listen on. */
  readonly path: string;
  /** Call this once the server listens: from then on only the user may connect. */
  tighten(): void;
  remove(): void;
}

export function prepareSocketPlace(folder: string): SocketPlace {
  const path = join(resolve(folder), NAME);
  removePlace(path);
  if (fits(path)) return { path, tighten: () => chmodSync(path, 0o600), remove: () => removePlace(path) };
  const short = join(shortFolder(), 's');
  symlinkSync(short, path);
  return { path: short, tighten: () => chmodSync(short, 0o600), remove: () => removePlace(path) };
}

/** What to connect to, or undefined when no server of this user can be listening. The folder is known to be ours (K3). */
export function findSocket(folder: string): string | undefined {
  const path = join(resolve(folder), NAME);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isSymbolicLink()) return isOwnSocket(stats) ? path : undefined;
  const short = readlinkSync(path);
  const isPlace = isPrivate(dirname(short)) && isOwnSocket(lstatSync(short, { throwIfNoEntry: false }));
  return isPlace ? short : undefined;
}

/** Nobody else could even connect to it. */
const isOwnSocket = (stats: Stats | undefined): boolean =>
  stats?.isSocket() === true && isOurs(stats) && !isOpenToOthers(stats);

/** Makes a temporary folder with a short path, in /tmp if TMPDIR is too long. */
function shortFolder(): string {
  const base = [tmpdir(), '/tmp'].find((folder) => fits(join(folder, `${SHORT_PREFIX}XXXXXX`, 's')));
  const made = mkdtempSync(join(base ?? '/tmp', SHORT_PREFIX));
  chmodSync(made, 0o700);
  return made;
}

function removePlace(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) {
    const folder = dirname(readlinkSync(path));
    // A link can point anywhere, so this removes only a folder with our prefix that belongs to the user.
    if (dirname(folder) !== folder && folder.includes(`/${SHORT_PREFIX}`) && isPrivate(folder))
      rmSync(folder, { recursive: true, force: true });
  }
  rmSync(path, { force: true });
}

function isPrivate(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && isOurs(stats) && !isOpenToOthers(stats);
}

const fits = (path: string): boolean => Buffer.byteLength(path) <= MAX_PATH_BYTES;
