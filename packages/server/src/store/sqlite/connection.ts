/**
 * Opens a connection that keeps the store's promises.
 *
 * K1. WAL and `synchronous=FULL` are set on every connection and read back; a build or file system that answers
 *     anything else is refused. Some builds reopen a WAL file with NORMAL, which loses acknowledged commits on power loss.
 * K2. A file that is not ours is not changed: the check for that comes before the first pragma that writes.
 */
import { FaultCode, HandoverError } from '@handover/core';
import { type Database, type OpenOptions, openDatabase } from './driver.js';
import { migrate, SCHEMA_VERSION, schemaVersion } from './schema.js';
import { causeOf, isDamage, messageOf, ResultCode, resultCode } from './sqlite-error.js';

const FULL = 2;

/** fullfsync matters on macOS only, where a plain fsync does not reach the platter. */
const DURABLE = ['synchronous = FULL', 'fullfsync = ON', 'checkpoint_fullfsync = ON'];
const COMMON = ['busy_timeout = 5000', 'temp_store = MEMORY', 'trusted_schema = OFF', 'cell_size_check = ON'];
/** Hot index pages are rewritten often: a longer WAL writes each of them to the file less often. */
const WRITER = ['cache_size = -32768', 'wal_autocheckpoint = 4000', 'journal_size_limit = 67108864'];
const READER = ['cache_size = -16384', 'query_only = ON'];

export function openWriterConnection(path: string): Database {
  return opening(path, () => {
    const db = openDatabase(path);
    set(db, COMMON);
    schemaVersion(db, path);
    makeDurable(db, path);
    set(db, WRITER);
    migrate(db, path);
    return db;
  });
}

export function openReaderConnection(path: string): Database {
  return opening(path, () => {
    const db = openDatabase(path);
    set(db, COMMON);
    makeDurable(db, path);
    set(db, READER);
    return db;
  });
}

/** For another process: takes no lock that a server would notice, writes nothing. */
export function openReadOnlyConnection(path: string, options: OpenOptions, waitMs = 5_000): Database {
  return opening(path, () => {
    const db = openDatabase(path, { ...options, readOnly: true });
    set(db, [...COMMON, ...READER, `busy_timeout = ${waitMs}`]);
    const version = schemaVersion(db, path);
    if (version < SCHEMA_VERSION)
      throw new HandoverError(
        FaultCode.CONFIGURATION,
        version === 0
          ? `${path} holds no Handover data`
          : `${path} has the older schema ${version}; start the server once to bring it to ${SCHEMA_VERSION}`,
      );
    return db;
  });
}

export function readBack(db: Database, pragma: string): unknown {
  return db.prepare(`PRAGMA ${pragma}`).all([])[0]?.[0];
}

export function makeDurable(db: Database, path: string): void {
  const journal = db.prepare('PRAGMA journal_mode = WAL').all([])[0]?.[0];
  if (journal !== 'wal') throw cannotPromise(path, `the journal mode is ${String(journal)}, not wal`);
  set(db, DURABLE);
  const synchronous = readBack(db, 'synchronous');
  if (synchronous !== FULL)
    throw cannotPromise(path, `synchronous reads back ${String(synchronous)}, not FULL`);
}

function set(db: Database, pragmas: readonly string[]): void {
  for (const pragma of pragmas) db.exec(`PRAGMA ${pragma}`);
}

function cannotPromise(path: string, why: string): HandoverError {
  return new HandoverError(FaultCode.CONFIGURATION, `${path} cannot be stored durably: ${why}`);
}

/** Says which file is meant, and what to do about it. */
export function opening<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (thrown) {
    if (thrown instanceof HandoverError) throw thrown;
    const said = messageOf(thrown);
    if (isDamage(thrown))
      throw new HandoverError(FaultCode.DATA_LOSS, `${path} is damaged (${said}); restore it from a backup`, {
        cause: thrown,
      });
    throw new HandoverError(FaultCode.CONFIGURATION, `${path} cannot be opened: ${causeOf(thrown)}`, {
      details: { result: resultCode(thrown) ?? ResultCode.CANTOPEN },
      cause: thrown,
    });
  }
}
