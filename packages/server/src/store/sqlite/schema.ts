/**
 * The tables, as an ordered list of migrations.
 *
 * Each migration runs in one transaction together with its version row, so that a crash leaves either the old schema or
 * the new one. A released migration never changes; a change is a new one at the end.
 *
 * Columns are BLOB and INTEGER (see driver.ts). Nothing that changes with every message is indexed. `payload` stands
 * last, so that reading a head never touches the pages that a large payload overflows into.
 */
import { FaultCode, HandoverError } from '@handover/core';
import type { Database } from './driver.js';

/** "Hand": tells our files from those of others. */
const APPLICATION_ID = 0x48616e64;

const MIGRATIONS: readonly string[] = [
  `CREATE TABLE streams(
     id INTEGER PRIMARY KEY,
     tenant BLOB NOT NULL, kind BLOB NOT NULL, name BLOB NOT NULL,
     created_pos INTEGER NOT NULL, created_at INTEGER NOT NULL,
     state BLOB NOT NULL, due INTEGER, summary BLOB NOT NULL,
     UNIQUE (tenant, kind, name)
   ) STRICT;
   CREATE INDEX streams_due ON streams(due) WHERE due IS NOT NULL;
   CREATE TABLE entries(
     pos INTEGER PRIMARY KEY,
     stream INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
     type BLOB NOT NULL, v INTEGER NOT NULL, actor BLOB NOT NULL, message_id BLOB NOT NULL,
     payload_hash BLOB NOT NULL, prev BLOB NOT NULL, hash BLOB NOT NULL,
     facts BLOB NOT NULL, salt BLOB NOT NULL, payload BLOB NOT NULL,
     UNIQUE (stream, seq), UNIQUE (stream, message_id)
   ) STRICT;
   CREATE TABLE involved(
     tenant BLOB NOT NULL, agent BLOB NOT NULL, kind BLOB NOT NULL, name BLOB NOT NULL, role BLOB NOT NULL,
     stream INTEGER NOT NULL,
     PRIMARY KEY (tenant, agent, kind, name, role)
   ) STRICT, WITHOUT ROWID;`,
  // Secrets that were handed out, as keyed hashes; not part of the log.
  `CREATE TABLE credentials(
     kind BLOB NOT NULL, name BLOB NOT NULL, tenant BLOB NOT NULL, hash BLOB NOT NULL,
     rights BLOB NOT NULL, expires_at INTEGER NOT NULL, revoked INTEGER NOT NULL, sealed BLOB,
     PRIMARY KEY (kind, name, tenant, hash)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX credentials_expiry ON credentials(expires_at);`,
  // How many bytes of payload stand in the name of each actor; written with the entries that it counts.
  `CREATE TABLE usage(
     tenant BLOB NOT NULL, actor BLOB NOT NULL, bytes INTEGER NOT NULL,
     PRIMARY KEY (tenant, actor)
   ) STRICT, WITHOUT ROWID;
   INSERT INTO usage
     SELECT s.tenant, e.actor, sum(length(e.payload)) FROM entries e JOIN streams s ON s.id = e.stream
     GROUP BY s.tenant, e.actor HAVING sum(length(e.payload)) > 0;`,
  // The log is at format level 2 (services/configuration/format-level.ts): a server that does not know the entries of that
  // level refuses the folder because of this row. The index is for lists that begin with the newest: rows of streams are
  // numbered as they come.
  'CREATE INDEX involved_newest ON involved(tenant, agent, kind, role, stream);',
  // When agents were here; not part of the log.
  `CREATE TABLE agents(
     tenant BLOB NOT NULL, agent BLOB NOT NULL,
     first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL, last_look INTEGER,
     PRIMARY KEY (tenant, agent)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE heartbeats(
     tenant BLOB NOT NULL, agent BLOB NOT NULL, project BLOB NOT NULL, at INTEGER NOT NULL,
     PRIMARY KEY (tenant, agent, project)
   ) STRICT, WITHOUT ROWID;`,
  // Who is shown one project has not seen the others. No version wrote the column.
  `ALTER TABLE agents DROP COLUMN last_look;
   CREATE TABLE looks(
     tenant BLOB NOT NULL, agent BLOB NOT NULL, project BLOB NOT NULL, at INTEGER NOT NULL,
     PRIMARY KEY (tenant, agent, project)
   ) STRICT, WITHOUT ROWID;`,
  // Receipts as they were given out; not part of the log.
  `CREATE TABLE receipts(
     kind BLOB NOT NULL, name BLOB NOT NULL, tenant BLOB NOT NULL, format BLOB NOT NULL, text BLOB NOT NULL,
     PRIMARY KEY (kind, name, tenant, format)
   ) STRICT, WITHOUT ROWID;`,
  // A session that could be suspended for ever was due at a time that nobody could read again, and every list with it failed.
  'UPDATE streams SET due = 9007199254740991 WHERE due > 9007199254740991;',
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Brings the file to the newest schema; refuses what is not ours or comes from a newer version. */
export function migrate(db: Database, path: string): void {
  const version = schemaVersion(db, path);
  for (const [i, ddl] of MIGRATIONS.entries()) {
    if (i < version) continue;
    db.exec('BEGIN IMMEDIATE');
    try {
      if (i === 0) {
        db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
        db.exec('CREATE TABLE schema_version(version INTEGER PRIMARY KEY) STRICT');
      }
      db.exec(ddl);
      db.exec(`INSERT INTO schema_version VALUES (${i + 1})`);
      db.exec('COMMIT');
    } catch (thrown) {
      undo(db);
      throw thrown;
    }
  }
}

/** SQLite ends the transaction itself on some errors; the error that made it end is the one to tell. */
function undo(db: Database): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // There was no transaction any more.
  }
}

/** 0 for an empty file. Changes nothing, so it is safe to ask of any file. */
export function schemaVersion(db: Database, path: string): number {
  const application = integer(db, 'PRAGMA application_id');
  if (application !== APPLICATION_ID) {
    const empty = application === 0 && integer(db, 'SELECT count(*) FROM sqlite_schema') === 0;
    if (empty) return 0;
    throw refusal(`${path} is a database of another program; choose another data folder`);
  }
  const version = integer(db, 'SELECT max(version) FROM schema_version');
  if (version > SCHEMA_VERSION)
    throw refusal(
      `${path} was written by a newer version of Handover (schema ${version}, this one knows ${SCHEMA_VERSION}); upgrade Handover`,
    );
  return version;
}

function integer(db: Database, sql: string): number {
  return Number(db.prepare(sql).all([])[0]?.[0] ?? 0);
}

function refusal(message: string): HandoverError {
  return new HandoverError(FaultCode.CONFIGURATION, message);
}
