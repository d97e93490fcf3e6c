/**
 * Whether a data folder is this user's alone. Everything that believes what lies in one asks first: the server, commands,
 * hooks, and whoever connects to the socket in it. What another user can put there would speak for this one: name where a
 * token and a conversation are sent, or answer an assistant in the server's place.
 *
 * W1. It is a folder of this user. Links are followed: people keep their data elsewhere.
 * W2. Nobody else may write to it, and once something is in it, nobody else may read it.
 * W3. One that is still empty is made private, as the server does: by whoever writes first, and at once when others may
 *     write to it.
 */
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { isOpenToOthers, isOurs, isWritableByOthers } from './whose.js';

export const ELSEWHERE = 'use another folder, with --data-dir or HANDOVER_DATA_DIR';

/** What is wrong with it, as the end of a sentence. Undefined: nothing, or it is not there yet. */
export function folderFlaw(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (!stats.isDirectory()) return `is not a folder; ${ELSEWHERE}`;
  if (!isOurs(stats)) return `belongs to another user; run as that user, or ${ELSEWHERE}`;
  if (!isOpenToOthers(stats)) return undefined;
  if (readdirSync(path).length > 0)
    return 'can be read by other users and is not empty; if it is the right one, run chmod 700 on it';
  if (isWritableByOthers(stats)) chmodSync(path, 0o700);
  return undefined;
}

/** To be called before something is written into it. */
export function closeEmptyFolder(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory() || !isOurs(stats) || !isOpenToOthers(stats)) return;
  if (readdirSync(path).length === 0) chmodSync(path, 0o700);
}
