/**
 * A view on the data for `verify` and `export`, in a process of their own.
 *
 * V1. It never takes the folder's lock and writes nothing; it works beside a running server and on a copy of the folder
 *     or of the database file alone.
 * V2. Everything it shows is of one moment, the moment of opening, so that entries and list rows can be compared. Close
 *     it when done: until then a running server's WAL cannot shrink.
 */
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { FaultCode, HandoverError, type StreamKind, type StreamRef } from '@handover/core';
import type { AgentStore, Involvement, ListedStream, ReceiptStore, Store } from '@handover/engine';
import { createAgentFinder, createAgentLookUps } from './agents.js';
import { single } from './appender.js';
import { opening, openReadOnlyConnection } from './connection.js';
import { dataFolder } from './data-folder.js';
import type { Database, SqlValue } from './driver.js';
import { unpackListed } from './messages.js';
import { Packer } from './pack.js';
import { createReadVerbs } from './read-verbs.js';
import { createReader } from './reader.js';
import { createReceiptFinder } from './receipts.js';
import * as rows from './rows.js';
import { readFault } from './sqlite-error.js';

const PAGE = 500;

export interface SqliteReadOnly extends Pick<Store, 'load' | 'read' | 'heads' | 'list' | 'feed' | 'close'> {
  readonly agents: Pick<AgentStore, 'find' | 'list'>;
  readonly receipts: Pick<ReceiptStore, 'find'>;
  /** Every receipt that is kept. */
  keptReceipts(): IterableIterator<KeptReceipt>;
  /** The number of the last entry: a view on SQLite's own file may say it. */
  position(): Promise<number>;
  /** Every stream of every tenant with its list row, in order of creation. */
  streams(): IterableIterator<ListedStream>;
  /** Every involvement of every tenant. */
  involvements(): IterableIterator<{ readonly ref: StreamRef } & Involvement>;
}

export interface KeptReceipt {
  readonly ref: StreamRef;
  readonly format: string;
  readonly text: string;
}

/** False: nothing was ever stored there. */
export const holdsData = (folder: string): Promise<boolean> => exists(dataFolder(folder).database);

/** Takes the data folder, or one database file. */
export async function openSqliteReadOnly(
  directory: string,
  /** How long to wait while somebody holds the file for itself; nothing else runs meanwhile. */
  waitMs?: number,
): Promise<SqliteReadOnly> {
  const path = await databaseFile(directory);
  const db = openReadOnlyConnection(path, { immutable: await isFrozenCopy(path) }, waitMs);
  const position = opening(path, () => {
    db.exec('BEGIN');
    // A deferred transaction begins with its first read.
    return single(db, 'SELECT coalesce(max(pos), 0) FROM entries');
  });
  const reader = opening(path, () => createReader(db));
  const agents = opening(path, () => createAgentFinder(db));
  const receipt = opening(path, () => createReceiptFinder(db));
  const { load, read, heads, list, feed } = createReadVerbs(async (request) =>
    guarded(() => reader(request)),
  );
  return {
    load,
    read,
    heads,
    list,
    feed,
    agents: createAgentLookUps((request) => guarded(() => agents(request))),
    receipts: {
      find: async (stream, format) => guarded(() => receipt({ verb: 'receipt.find', stream, format })),
    },
    keptReceipts: () => keptReceipts(db),
    position: async () => position,
    streams: () => streams(db),
    involvements: () => involvements(db),
    async close() {
      db.exec('ROLLBACK');
      db.close();
    },
  };
}

function* streams(db: Database): IterableIterator<ListedStream> {
  const page = db.prepare(
    `SELECT ${rows.REF_COLUMNS}, ${rows.ROW_COLUMNS}, s.id FROM streams s WHERE s.id > ? ORDER BY s.id LIMIT ${PAGE}`,
  );
  for (let last = 0; ; ) {
    const found = guarded(() => page.all([last]));
    const p = new Packer();
    for (const row of found) rows.packListedRow(p, row);
    yield* unpackListed(p.finish());
    if (found.length < PAGE) return;
    last = rows.integer(found.at(-1)?.at(-1));
  }
}

function* involvements(db: Database): IterableIterator<{ ref: StreamRef } & Involvement> {
  const columns = ['tenant', 'agent', 'kind', 'name', 'role'];
  const page = db.prepare(
    `SELECT ${columns.map((name) => `CAST(${name} AS BLOB)`).join(', ')} FROM involved
     WHERE (${columns.join(', ')}) > (?, ?, ?, ?, ?) ORDER BY ${columns.join(', ')} LIMIT ${PAGE}`,
  );
  // Integers stand below every blob: before the first row.
  for (let last: SqlValue[] = [-1, -1, -1, -1, -1]; ; ) {
    const found = guarded(() => page.all(last));
    for (const row of found) {
      last = row.map(rows.blob);
      const [tenant = '', agent = '', kind = '', id = '', role = ''] = last.map((value) =>
        Buffer.from(value as Uint8Array).toString(),
      );
      yield { ref: { tenant, kind: kind as StreamKind, id }, agent, role };
    }
    if (found.length < PAGE) return;
  }
}

function* keptReceipts(db: Database): IterableIterator<KeptReceipt> {
  const columns = ['kind', 'name', 'tenant', 'format'];
  const page = db.prepare(
    `SELECT ${[...columns, 'text'].map((name) => `CAST(${name} AS BLOB)`).join(', ')} FROM receipts
     WHERE (${columns.join(', ')}) > (?, ?, ?, ?) ORDER BY ${columns.join(', ')} LIMIT ${PAGE}`,
  );
  for (let last: SqlValue[] = [-1, -1, -1, -1]; ; ) {
    const found = guarded(() => page.all(last));
    for (const row of found) {
      last = row.slice(0, columns.length).map(rows.blob);
      const [kind = '', id = '', tenant = '', format = '', text = ''] = row.map((value) =>
        Buffer.from(rows.blob(value)).toString(),
      );
      yield { ref: { tenant, kind: kind as StreamKind, id }, format, text };
    }
    if (found.length < PAGE) return;
  }
}

async function databaseFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  const file = found?.isDirectory() ? dataFolder(path).database : resolve(path);
  if (found && (await exists(file))) return file;
  throw new HandoverError(FaultCode.DATA_LOSS, `there is no Handover data at ${path}`);
}

/** A file alone in a folder that we may not write: no server can be using it, and SQLite could not make its side files. */
async function isFrozenCopy(path: string): Promise<boolean> {
  if (await exists(`${path}-wal`)) return false;
  const writable = await access(dirname(path), constants.W_OK).then(
    () => true,
    () => false,
  );
  return !writable;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw readFault(thrown);
  }
}
