/**
 * The data folder: one per user, private, and either for real use or for trying things out.
 *
 * F1. The folder is 0700 and ours. A missing or empty one is made so; one that others can read and that already holds
 *     something is refused, not changed: it may be a home folder given by mistake.
 * F2. Files in it are 0600: the umask is set before anything is created, and files found looser are tightened. This
 *     must come before the store opens (only names and modes are touched, never contents).
 * F3. A folder once used with real credentials is marked for ever; dev mode, where any name is an agent, refuses it.
 */
import { chmodSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../platform/atomic-file.js';
import { makeFolder } from '../platform/make-folder.js';
import { closeEmptyFolder, ELSEWHERE } from '../platform/own-folder.js';
import { folderRefusal, requireOwnFolder, withinFolder } from '../platform/require-own-folder.js';

/** `local`: over the user-only socket alone, which both of the others offer, too. */
export type FolderUse = 'dev' | 'credentials' | 'local';

const MARKER = 'used-with-credentials';
const MARKER_TEXT = 'This folder was used with real credentials; dev mode refuses it.\n';
const OTHERS = 0o077;

/** Makes the folder ready for the store, or throws a `CONFIGURATION` fault that says what to do. */
export function openDataFolder(path: string, use: FolderUse): void {
  withinFolder(path, () => open(path, use));
}

function open(path: string, use: FolderUse): void {
  process.umask(OTHERS);
  prepare(path);
  const used = existsSync(join(path, MARKER));
  if (use === 'dev' && used) {
    throw folderRefusal(
      path,
      `was used with real credentials, which dev mode would let anyone act for; ${ELSEWHERE}`,
    );
  }
  for (const name of readdirSync(path)) tighten(join(path, name));
  if (use === 'credentials' && !used) writeFileAtomic(join(path, MARKER), MARKER_TEXT);
}

function prepare(path: string): void {
  ensureFolder(path);
  closeEmptyFolder(path);
  requireOwnFolder(path);
}

function ensureFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })) return;
  try {
    makeFolder(path);
  } catch (thrown) {
    // As in /proc, where nothing can be made: that it does not exist is not the trouble.
    const nothingThere = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
    throw nothingThere
      ? folderRefusal(path, `cannot be made: no folder can be made there; ${ELSEWHERE}`, thrown)
      : thrown;
  }
}

/** Links are left alone: what they point to is not in the folder. */
function tighten(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() && (stats.mode & OTHERS) !== 0) chmodSync(path, 0o600);
  if (stats?.isDirectory() && (stats.mode & OTHERS) !== 0) chmodSync(path, 0o700);
}
