/**
 * The token of the user-only socket: 32 random bytes in a file that only the user can read. It protects the socket on
 * systems that do not honour the modes of folder and socket.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/atomic-file.js';
import { plainText } from '../../platform/plain-file.js';
import { isOpenToOthers } from '../../platform/whose.js';

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

/** Undefined: no server of this user has listened here yet. One that others may read, or have written, is no token. */
export function readLocalToken(folder: string): string | undefined {
  const path = join(folder, FILE);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats || isOpenToOthers(stats)) return undefined;
  return plainText(path, MAX_BYTES, 'own')?.trim();
}

export function sameToken(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
