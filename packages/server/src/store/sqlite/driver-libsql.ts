/** libsql (a better-sqlite3 look-alike whose binaries come from npm): the driver on Node 20. */
import { pathToFileURL } from 'node:url';
import Libsql from 'libsql';
import type { Database, OpenOptions, SqlValue, Statement } from './driver.js';
import { messageOf, SqliteError } from './sqlite-error.js';

export function openLibsql(path: string, options: OpenOptions): Database {
  return translate(() => wrap(new Libsql(address(path, options))));
}

function wrap(db: Libsql.Database): Database {
  return {
    prepare: (sql) => wrapStatement(translate(() => db.prepare<SqlValue[][]>(sql))),
    exec: (sql) => translate(() => void db.exec(sql)),
    close: () => translate(() => void db.close()),
  };
}

function wrapStatement(statement: Libsql.Statement<SqlValue[][]>): Statement {
  let raw = false;
  return {
    // One array argument, always: a bare buffer would be taken for a list of named parameters.
    run(params) {
      try {
        statement.run(params as SqlValue[]);
      } catch (thrown) {
        throw toSqliteError(thrown);
      }
    },
    all: (params) =>
      translate(() => {
        // raw() throws on statements that return no data, so it waits for the first read.
        if (!raw) statement.raw();
        raw = true;
        return statement.all(params as SqlValue[]) as unknown[][];
      }),
  };
}

function address(path: string, { readOnly, immutable }: OpenOptions): string {
  if (immutable) return `${pathToFileURL(path).href}?immutable=1`;
  return readOnly ? `${pathToFileURL(path).href}?mode=ro` : path;
}

function translate<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw toSqliteError(thrown);
  }
}

function toSqliteError(thrown: unknown): SqliteError {
  const raw =
    typeof thrown === 'object' && thrown !== null && 'rawCode' in thrown ? thrown.rawCode : undefined;
  return new SqliteError(messageOf(thrown), typeof raw === 'number' ? raw : 1, thrown);
}
