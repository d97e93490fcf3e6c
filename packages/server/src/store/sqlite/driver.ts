/**
 * The driver port: the few calls that the store makes on SQLite, whichever build runs underneath.
 *
 * D1. Values are integers, bytes or null. No TEXT crosses: libsql 0.5.29 ends the process on invalid UTF-8 and cuts at
 *     NUL. Queries therefore CAST what they select, so that a damaged type byte cannot turn a BLOB into TEXT.
 * D2. `all` reads to the end, so that no statement is left open: an open one would hold a snapshot and let the WAL grow.
 * D3. Every failure is an SqliteError with SQLite's own result code.
 */
import { openLibsql } from './driver-libsql.js';
import { openNodeSqlite } from './driver-node.js';

export type SqlValue = number | Uint8Array | null;

export interface Statement {
  run(params: readonly SqlValue[]): void;
  all(params: readonly SqlValue[]): readonly (readonly unknown[])[];
}

export interface Database {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

export interface OpenOptions {
  readonly readOnly?: boolean;
  /** For a copy in a folder that cannot be written: no lock, no shared memory file. */
  readonly immutable?: boolean;
}

/** Node's own SQLite where it exists without a flag (22.13 and later), else libsql. */
export function openDatabase(path: string, options: OpenOptions = {}): Database {
  return openNodeSqlite(path, options) ?? openLibsql(path, options);
}
