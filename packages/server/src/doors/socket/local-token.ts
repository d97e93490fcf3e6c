/**
 * The token of the user-only socket: 32 random bytes in a file that only the user can read. It protects the socket on
 * systems that do not honour the modes of folder and socket.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/atomic-file.js';
import { plainText } from '../../platform/plain-file.js';

const FILE = 'local-token';
const MAX_BYTES = 1_024;
const SHAPE = /^[0-9a-f]{64}$/;

/** Made on first use; the caller holds the folder's lock. */
export function openLocalToken(folder: string): string {
  const kept = readLocalToken(folder);
  if (kept !== undefined && SHAPE.test(kept)) return kept;
  const made = randomBytes(32).toString('hex');
  writeFileAtomic(join(folder, FILE), `${made}\n`);
  return made;
}

/** Undefined: no server has listened here yet, or this user may not read the file. */
export function readLocalToken(folder: string): string | undefined {
  return plainText(join(folder, FILE), MAX_BYTES, 'refused')?.trim();
}

export function sameToken(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
