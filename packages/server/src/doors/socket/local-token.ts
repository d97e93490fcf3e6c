/**
 * The token of the user-only socket: 32 random bytes in a file that only the user can read. It protects the socket on
 * systems that do not honour the modes of folder and socket.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/atomic-file.js';

const FILE = 'local-token';
const SHAPE = /^[0-9a-f]{64}$/;

/** Made on first use; the caller holds the folder's lock. */
export function openLocalToken(folder: string): string {
  const path = join(folder, FILE);
  if (!existsSync(path) || !SHAPE.test(readFileSync(path, 'utf8').trim()))
    writeFileAtomic(path, `${randomBytes(32).toString('hex')}\n`);
  return readFileSync(path, 'utf8').trim();
}

/** Undefined: no server has listened here yet, or this user may not read the file. */
export function readLocalToken(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, FILE), 'utf8').trim();
  } catch {
    return undefined;
  }
}

export function sameToken(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
