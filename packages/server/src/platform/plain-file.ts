/**
 * Files that somebody else may have made, or put something else in the place of: what lies in a project, in a home, or in
 * a folder of ours that other programs of this user reach.
 *
 * P1. Only plain files are opened. A pipe would wait for its writer, a device may have no end, and all of that stands
 *     still together with this process: no timer ends it.
 * P2. At most so many bytes are read, whatever the file says of its size.
 * P3. Links are followed only where people have reasons to make them.
 * P4. What lies in a folder of ours is believed only if it is this user's: others may have put it there, perhaps while the
 *     folder was open to them.
 */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { isOurs } from './whose.js';

/** `own`: a link is refused, and so is a file of another user. */
export type Links = 'followed' | 'refused' | 'own';

export interface OpenFile {
  readonly file: number;
  readonly stats: Stats;
}

/** A folder, a pipe, a device, or a socket; or the file of another user. */
export class NoPlainFile extends Error {
  override readonly name = 'NoPlainFile';

  constructor(path: string, what = 'is no plain file') {
    super(`${path} ${what}`);
  }
}

export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';

  constructor(path: string, maxBytes: number) {
    super(`${path} has more than ${maxBytes} bytes`);
  }
}

/** To be closed by the caller. Throws `NoPlainFile`, or what the system says. */
export function openPlainFile(path: string, links: Links): OpenFile {
  mayOpen(path, links === 'followed' ? statSync(path) : lstatSync(path));
  return checked(path, openSync(path, constants.O_RDONLY | careful(links)), links);
}

/** The whole of a file. Throws also `FileTooLarge`. */
export function readPlainFile(path: string, maxBytes: number, links: Links): Buffer {
  const { file } = openPlainFile(path, links);
  try {
    const bytes = readUpTo(file, maxBytes + 1);
    if (bytes.length > maxBytes) throw new FileTooLarge(path, maxBytes);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Undefined: there is none, or it is none that can be read, whatever the reason. */
export function plainText(path: string, maxBytes: number, links: Links): string | undefined {
  try {
    return readPlainFile(path, maxBytes, links).toString('utf8');
  } catch {
    return undefined;
  }
}

/** To write at the end of; made when it is not there, and begun anew when it has more than so many bytes. It is ours. */
export function openPlainLog(path: string, maxBytes: number): number {
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  mayOpen(path, lstatSync(path, { throwIfNoEntry: false }));
  const opened = openSync(path, O_WRONLY | O_APPEND | O_CREAT | careful('own'), 0o600);
  const { file, stats } = checked(path, opened, 'own');
  if (stats.size > maxBytes) ftruncateSync(file);
  return file;
}

const PIECE_BYTES = 65_536;

/** From where the file stands now. */
export function readUpTo(file: number, maxBytes: number): Buffer {
  const pieces: Buffer[] = [];
  for (let left = maxBytes; left > 0; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, left));
    const read = readSync(file, piece);
    if (read === 0) break;
    pieces.push(piece.subarray(0, read));
    left -= read;
  }
  return Buffer.concat(pieces);
}

/** Before it is opened: opening alone does something to a pipe and to some devices. */
function mayOpen(path: string, there: Stats | undefined): void {
  // A link is left to the system, which says what it is.
  if (there && !there.isFile() && !there.isSymbolicLink()) throw new NoPlainFile(path);
}

function checked(path: string, file: number, links: Links): OpenFile {
  const stats = fstatSync(file);
  const isPlain = stats.isFile();
  if (isPlain && (links !== 'own' || isOurs(stats))) return { file, stats };
  closeSync(file);
  throw new NoPlainFile(path, isPlain ? 'belongs to another user' : undefined);
}

/** Something else may be there by the time it is opened. Where the system does not know these, they are 0. */
const careful = (links: Links): number =>
  (constants.O_NONBLOCK ?? 0) | (links === 'followed' ? 0 : (constants.O_NOFOLLOW ?? 0));
