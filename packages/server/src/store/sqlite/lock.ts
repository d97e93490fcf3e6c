/**
 * One server per data folder: `lock.db`, held by BEGIN EXCLUSIVE for the life of the process.
 *
 * SQLite's own lock is used because it works the same for every build and system and the kernel releases it however the
 * process ends. It is another file than the data, so that read-only tools are not shut out.
 */
import { dirname } from 'node:path';
import { FaultCode, HandoverError, shellLine } from '@handover/core';
import { openDatabase } from './driver.js';
import { causeOf, ResultCode, resultCode } from './sqlite-error.js';

export interface FolderLock {
  release(): void;
}

export function lockFolder(path: string): FolderLock {
  const db = openDatabase(path);
  try {
    db.exec('PRAGMA busy_timeout = 0');
    // Nothing is ever written to this file, so it needs no journal beside it.
    db.exec('PRAGMA journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    db.close();
    throw resultCode(thrown) === ResultCode.BUSY
      ? new HandoverError(
          FaultCode.CONFIGURATION,
          `another server uses this data folder (${path} is locked); end it with "${shellLine('stop', [], [['--data-dir', dirname(path)]])}", or use another folder, with --data-dir or HANDOVER_DATA_DIR`,
        )
      : new HandoverError(FaultCode.CONFIGURATION, `${path} cannot be locked: ${causeOf(thrown)}`, {
          cause: thrown,
        });
  }
  return {
    release() {
      // Explicit, because a build may defer what close() does while a statement is still referenced.
      db.exec('ROLLBACK');
      db.close();
    },
  };
}
