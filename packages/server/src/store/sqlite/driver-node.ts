/** `node:sqlite`, where Node has it without a flag. Typed here: the type package of Node 20 does not know it. */
import { pathToFileURL } from 'node:url';
import type { Database, OpenOptions, SqlValue, Statement } from './driver.js';
import { messageOf, ResultCode, SqliteError } from './sqlite-error.js';

interface NodeStatement {
  run(...params: readonly SqlValue[]): unknown;
  all(...params: readonly SqlValue[]): unknown[];
  /** Since 22.16. */
  setReturnArrays?(on: boolean): void;
}

interface NodeDatabase {
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  close(): void;
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string | URL, options?: { readOnly?: boolean }) => NodeDatabase;
}

export function openNodeSqlite(path: string, options: OpenOptions): Database | undefined {
  const sqlite = nodeSqlite();
  if (!sqlite) return undefined;
  return translate(() =>
    wrap(new sqlite.DatabaseSync(address(path, options), { readOnly: options.readOnly ?? false })),
  );
}

function wrap(db: NodeDatabase): Database {
  return {
    prepare: (sql) => wrapStatement(translate(() => db.prepare(sql))),
    exec: (sql) => translate(() => db.exec(sql)),
    close: () => translate(() => db.close()),
  };
}

function wrapStatement(statement: NodeStatement): Statement {
  statement.setReturnArrays?.(true);
  return {
    run: (params) => void translate(() => statement.run(...params)),
    all: (params) =>
      translate(() =>
        statement.all(...params).map((row) => (Array.isArray(row) ? row : Object.values(row as object))),
      ),
  };
}

function address(path: string, { immutable }: OpenOptions): string | URL {
  if (!immutable) return path;
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return url;
}

/** Before 22.13 the module needs a flag, and asking for it gives undefined. */
function nodeSqlite(): NodeSqlite | undefined {
  const emitWarning = process.emitWarning;
  // Node calls the module experimental on stderr at first use; the operator can do nothing about it.
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function translate<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw new SqliteError(messageOf(thrown), codeOf(thrown), thrown);
  }
}

function codeOf(thrown: unknown): number {
  if (typeof thrown !== 'object' || thrown === null) return 1;
  if ('errcode' in thrown && typeof thrown.errcode === 'number') return thrown.errcode;
  // An integer beyond 2^53: we never stored one.
  return 'code' in thrown && thrown.code === 'ERR_OUT_OF_RANGE' ? ResultCode.CORRUPT : 1;
}
