/**
 * A configuration file of an assistant on disk. It belongs to somebody else, so:
 *
 * F1. Links are followed inside the root (a home or a project folder) and refused where they lead out of it: a project
 *     may come from a stranger. The link stays; its target is written.
 * F2. Only regular files of this user, in folders of this user, with at most 4 MiB of UTF-8 are touched.
 * F3. A change is one rename, with the file's own mode. If its bytes are no longer those that were read, nothing is
 *     written: whoever else writes to it wins.
 * F4. The bytes from before the first change stay beside it, as `<file>.handover-bak`, until nothing of ours is in it.
 */
import { closeSync, lstatSync, readlinkSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { writeFileAtomic } from '../../platform/atomic-file.js';
import { makeFolder } from '../../platform/make-folder.js';
import { NoPlainFile, openPlainFile, plainText, readUpTo } from '../../platform/plain-file.js';
import { systemCause } from '../../platform/system-cause.js';
import { isOurs } from '../../platform/whose.js';
import { type Refusal, refusal, type Text } from './edit/edit.js';

const MAX_BYTES = 4 * 1_048_576;
const MODE_BITS = 0o7777;
const OWNER_WRITES = 0o200;

export interface ClientPlace {
  readonly path: string;
  /** Nothing outside of it is touched. */
  readonly root: string;
}

export interface ClientFile {
  readonly kind: 'file';
  /** Where it really is. */
  readonly path: string;
  readonly text: Text;
  readonly mode?: number;
}

/** Somebody else changed the file while this command was at work. */
export class FileMoved extends Error {
  override readonly name = 'FileMoved';
}

export function readClientFile({ path, root }: ClientPlace): ClientFile | Refusal {
  try {
    const real = realPathOf(path);
    const inside = `${realPathOf(root).replace(/\/$/, '')}${sep}`;
    if (!real.startsWith(inside)) return refusal(`leads out of ${root}, through a link`);
    return read(real);
  } catch (thrown) {
    if (thrown instanceof NoPlainFile) return refusal('is no regular file');
    const cause = systemCause(thrown);
    if (cause === undefined) throw thrown;
    return refusal(`cannot be read: ${cause}`);
  }
}

/** Where a path leads, also when its end is not there yet. A link to nothing is an end that is not there yet, too. */
function realPathOf(path: string, links = 0): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return join(realPathOf(dirname(path), links), basename(path));
  if (!stats.isSymbolicLink()) return realpathSync(path);
  // More than a person makes: `realpathSync` says so in the system's words.
  if (links > 40) return realpathSync(path);
  const folder = realPathOf(dirname(path), links);
  const target = readlinkSync(path);
  return realPathOf(target.startsWith(sep) ? target : join(folder, target), links + 1);
}

function read(path: string): ClientFile | Refusal {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return whoseFolder(dirname(path)) ?? { kind: 'file', path, text: undefined };
  const opened = openPlainFile(path, 'followed');
  try {
    if (!isOurs(opened.stats)) return refusal('belongs to another user');
    // A new file takes its place: the other names would keep the old text, and its user wanted nobody to write to it.
    if (opened.stats.nlink > 1)
      return refusal('has several names (hard links), of which one alone would change');
    if ((opened.stats.mode & OWNER_WRITES) === 0) return refusal('is write-protected');
    const bytes = readUpTo(opened.file, MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) return refusal(`has more than ${MAX_BYTES} bytes`);
    const text = utf8(bytes);
    if (text === undefined) return refusal('is no UTF-8 text');
    return whoseFolder(dirname(path)) ?? { kind: 'file', path, text, mode: opened.stats.mode & MODE_BITS };
  } finally {
    closeSync(opened.file);
  }
}

/** As root in somebody's home, files would become root's, and their owner could no longer change them. */
function whoseFolder(folder: string): Refusal | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return whoseFolder(dirname(folder));
  if (!stats.isDirectory()) return refusal(`cannot be made: ${folder} is no folder`);
  return isOurs(stats) ? undefined : refusal(`lies in a folder of another user, ${folder}`);
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export interface Written {
  /** The first folder that had to be made for it. */
  readonly folder?: string;
}

const BACKUP = '.handover-bak';

/** `newMode`: of a file that was not there. `isFree`: nothing of ours is in it yet. */
export function writeClientFile(file: ClientFile, text: string, newMode: number, isFree: boolean): Written {
  const folder = makeFolder(dirname(file.path));
  const mode = file.mode ?? newMode;
  if (isFree && file.text !== undefined) keepBackup(file.path, file.text, mode);
  writeFileAtomic(file.path, text, { mode, beforeRename: () => stillAs(file) });
  return folder === undefined ? {} : { folder };
}

/** Takes ours out of it. */
export function restoreClientFile(file: ClientFile, text: string): void {
  writeFileAtomic(file.path, text, { mode: file.mode ?? 0o600, beforeRename: () => stillAs(file) });
}

/** The copy that nobody needs once nothing of ours is in the file. */
export function dropBackup({ path }: ClientFile): void {
  if (lstatSync(`${path}${BACKUP}`, { throwIfNoEntry: false })?.isFile()) rmSync(`${path}${BACKUP}`);
}

/** Removes a file that we made, and the folders that were made for it as far as they are empty. */
export function removeClientFile(file: ClientFile, folder: string | undefined): void {
  stillAs(file);
  rmSync(file.path);
  dropBackup(file);
  if (folder === undefined) return;
  for (
    let empty = dirname(file.path);
    `${empty}${sep}`.startsWith(`${folder}${sep}`);
    empty = dirname(empty)
  ) {
    try {
      rmdirSync(empty);
    } catch {
      return;
    }
  }
}

/** In place of one that stayed from before. What is no file of ours, such as a link of a stranger, is left alone. */
function keepBackup(path: string, text: string, mode: number): void {
  const there = lstatSync(`${path}${BACKUP}`, { throwIfNoEntry: false });
  if (there === undefined || there.isFile()) writeFileAtomic(`${path}${BACKUP}`, text, { mode });
}

function stillAs({ path, text }: ClientFile): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  const now = plainText(path, MAX_BYTES, 'refused');
  if ((there !== undefined && now === undefined) || now !== text) throw new FileMoved(path);
}
