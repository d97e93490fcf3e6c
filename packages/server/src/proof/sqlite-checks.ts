/**
 * Asks SQLite itself what the hash chains do not cover: that the file is whole, that its tables and indexes are ours
 * and agree, that entries and list rows hang together, and that positions are dense and follow each stream's order.
 *
 * Nothing proves which of two streams was written first: positions say it, and no hash covers positions.
 *
 * It opens a connection of its own, read-only, at one moment, beside a running server or on a copy.
 */
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { StreamRef } from '@handover/core';
import { openReadOnlyConnection } from '../store/sqlite/connection.js';
import { dataFolder } from '../store/sqlite/data-folder.js';
import { type Database, openDatabase } from '../store/sqlite/driver.js';
import { migrate, SCHEMA_VERSION } from '../store/sqlite/schema.js';
import type { LocatedFlaw } from './located-flaw.js';

/** Of each kind of flaw so many are named. */
const NAMED = 100;

const REF = (table: string) =>
  ['tenant', 'kind', 'name'].map((column) => `CAST(${table}.${column} AS BLOB)`).join(', ');
const NO_REF = 'NULL, NULL, NULL';

/** Each selects tenant, kind and id (or nulls), then a number, of every offending row. */
const CHECKS: readonly { readonly sql: string; readonly what: (n: number) => Partial<LocatedFlaw> }[] = [
  {
    sql: `SELECT ${NO_REF}, 1 WHERE (SELECT min(pos) FROM entries) > 1 UNION ALL
          SELECT ${NO_REF}, e.pos + 1 FROM entries e WHERE e.pos < (SELECT max(pos) FROM entries)
          AND NOT EXISTS (SELECT 1 FROM entries n WHERE n.pos = e.pos + 1)`,
    what: (pos) => ({ what: `position ${pos} of the log is missing` }),
  },
  {
    sql: `SELECT ${NO_REF}, e.pos FROM entries e WHERE NOT EXISTS (SELECT 1 FROM streams s WHERE s.id = e.stream)`,
    what: (pos) => ({ what: `the entry at position ${pos} belongs to no stream` }),
  },
  {
    sql: `SELECT ${REF('s')}, later.seq FROM entries later JOIN entries earlier
          ON earlier.stream = later.stream AND earlier.seq = later.seq - 1 JOIN streams s ON s.id = later.stream
          WHERE earlier.pos >= later.pos`,
    what: (seq) => ({ seq, what: 'its position stands before that of the entry it follows' }),
  },
  {
    sql: `SELECT ${REF('s')}, s.created_pos FROM streams s JOIN entries e ON e.stream = s.id AND e.seq = 1
          WHERE e.pos <> s.created_pos`,
    what: (pos) => ({
      what: `list row: created_pos is ${pos}, which is not the position of the first entry`,
    }),
  },
  {
    sql: `SELECT ${REF('i')}, i.stream FROM involved i LEFT JOIN streams s ON s.id = i.stream
          WHERE s.id IS NULL OR s.tenant <> i.tenant OR s.kind <> i.kind OR s.name <> i.name`,
    what: (n) => ({ what: `an involvement names this stream but points to number ${n}, which is not it` }),
  },
  {
    sql: `WITH logged AS (SELECT s.tenant, e.actor, sum(length(e.payload)) AS bytes
            FROM entries e JOIN streams s ON s.id = e.stream GROUP BY s.tenant, e.actor)
          SELECT ${NO_REF}, coalesce(u.bytes, 0) FROM logged l LEFT JOIN usage u
            ON u.tenant = l.tenant AND u.actor = l.actor WHERE coalesce(u.bytes, 0) <> l.bytes UNION ALL
          SELECT ${NO_REF}, u.bytes FROM usage u
            WHERE NOT EXISTS (SELECT 1 FROM logged l WHERE l.tenant = u.tenant AND l.actor = u.actor)`,
    what: (bytes) => ({ what: `${bytes} bytes are counted for an actor, which is not what the log holds` }),
  },
];

export async function sqliteFlaws(path: string): Promise<readonly LocatedFlaw[]> {
  const db = await open(path);
  try {
    db.exec('BEGIN');
    return [...integrityFlaws(db), ...schemaFlaws(db), ...CHECKS.flatMap((check) => run(db, check))];
  } finally {
    db.close();
  }
}

async function open(path: string): Promise<Database> {
  const isFolder = (await stat(path)).isDirectory();
  const file = isFolder ? dataFolder(path).database : resolve(path);
  const allowed = (name: string, mode: number) =>
    access(name, mode).then(
      () => true,
      () => false,
    );
  // As in the read-only view: in a folder that cannot be written SQLite can only read a file that nobody uses.
  const immutable =
    !(await allowed(`${file}-wal`, constants.F_OK)) && !(await allowed(dirname(file), constants.W_OK));
  return openReadOnlyConnection(file, { immutable });
}

function integrityFlaws(db: Database): LocatedFlaw[] {
  // As a table, so that its text can be cast: see D1 in driver.ts.
  const rows = db
    .prepare(`SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check(${NAMED})`)
    .all([]);
  const said = rows.map(([text]) => textOf(text));
  return said.length === 1 && said[0] === 'ok'
    ? []
    : said.map((text) => ({ what: `SQLite reports: ${text}` }));
}

/** Only our own tables and indexes may be there: a trigger put into a copy would run in the server that opens it. */
function schemaFlaws(db: Database): LocatedFlaw[] {
  const fresh = openDatabase(':memory:');
  try {
    migrate(fresh, ':memory:');
    const [should, is] = [schemaOf(fresh), schemaOf(db)];
    const flaws: LocatedFlaw[] = [];
    for (const [name, sql] of should)
      if (is.get(name) !== sql) flaws.push({ what: `${name} of the database is missing or was changed` });
    for (const name of is.keys())
      if (!should.has(name)) flaws.push({ what: `${name} of the database is not ours` });
    return [...flaws, ...versionFlaws(db)];
  } finally {
    fresh.close();
  }
}

function schemaOf(db: Database): Map<string, string> {
  const columns = ['type', 'name', 'tbl_name', "coalesce(sql, '')"].map(
    (column) => `CAST(${column} AS BLOB)`,
  );
  const rows = db.prepare(`SELECT ${columns.join(', ')} FROM sqlite_schema`).all([]);
  return new Map(
    rows.map(([type, name, table, sql]) => [
      `${textOf(type)} ${textOf(name)}`,
      `${textOf(table)}: ${textOf(sql)}`,
    ]),
  );
}

function versionFlaws(db: Database): LocatedFlaw[] {
  const versions = db.prepare('SELECT CAST(version AS INTEGER) FROM schema_version ORDER BY 1').all([]);
  const dense = versions.every(([version], i) => version === i + 1);
  if (dense && versions.length === SCHEMA_VERSION) return [];
  return [{ what: `schema_version does not hold the versions 1 to ${SCHEMA_VERSION}` }];
}

function run(db: Database, { sql, what }: (typeof CHECKS)[number]): LocatedFlaw[] {
  const rows = db.prepare(`SELECT * FROM (${sql}) LIMIT ${NAMED}`).all([]);
  return rows.map(([tenant, kind, id, n]) => ({
    ...(tenant !== null && {
      ref: { tenant: textOf(tenant), kind: textOf(kind) as StreamRef['kind'], id: textOf(id) },
    }),
    what: '',
    ...what(Number(n)),
  }));
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
}
