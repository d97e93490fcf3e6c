import { FaultCode, HandoverError } from '@handover/core';
import { ELSEWHERE, folderFlaw } from './own-folder.js';
import { systemCause } from './system-cause.js';

/** Throws a `CONFIGURATION` fault that says what to do, unless the data folder is this user's alone, or not there yet. */
export function requireOwnFolder(path: string): void {
  withinFolder(path, () => {
    const flaw = folderFlaw(path);
    if (flaw !== undefined) throw folderRefusal(path, flaw);
  });
}

/** What the system says against it becomes such a fault, too. */
export function withinFolder<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (thrown) {
    const cause = systemCause(thrown);
    if (cause === undefined) throw thrown;
    const advised = cause.includes(';') ? 'otherwise ' : '';
    throw folderRefusal(path, `cannot be used: ${cause}; ${advised}${ELSEWHERE}`, thrown);
  }
}

export const folderRefusal = (path: string, what: string, cause?: unknown): HandoverError =>
  new HandoverError(FaultCode.CONFIGURATION, `the data folder ${path} ${what}`, { next: 'fatal', cause });
