/**
 * The reading half: answers one request at a time, packed. It runs on the reader thread, and in the read-only tools.
 *
 * R1. A WAL reader sees a transaction only after its fsync, so an answer never shows what a power cut could take back.
 * R2. Heads are read without their payloads. Whole entries are measured first and fetched up to the byte limit, so that
 *     a page of large payloads never stands in memory twice over.
 */
import type { StreamRef } from '@handover/core';
import type { DueQuery, ListQuery, ReadLimit, Store } from '@handover/engine';
import type { Database, SqlValue } from './driver.js';
import { Packer } from './pack.js';
import * as rows from './rows.js';

export type ReadRequest =
  | { readonly verb: 'load'; readonly ref: StreamRef; readonly afterSeq: number; readonly limit: number }
  | { readonly verb: 'read'; readonly ref: StreamRef; readonly afterSeq: number; readonly limit: ReadLimit }
  | {
      readonly verb: 'list';
      readonly query: Omit<ListQuery, 'createdUpTo'>;
      readonly createdUpTo: number;
    }
  | { readonly verb: 'heads'; readonly refs: readonly StreamRef[] }
  | { readonly verb: 'count'; readonly query: Parameters<Store['count']>[0] }
  | { readonly verb: 'feed'; readonly afterPos: number; readonly limit: number }
  | { readonly verb: 'due'; readonly query: DueQuery };

export type Reader = (request: ReadRequest) => Uint8Array<ArrayBuffer>;

/** SQLite orders every integer below every blob: with this as the last id seen, a list begins at its beginning. */
const BEFORE_ALL = -1;
/** No text in UTF-8 holds this byte. */
const BEYOND = Uint8Array.of(0xff);

const ONE_STREAM = 'e.stream = (SELECT id FROM streams WHERE tenant = ? AND kind = ? AND name = ?)';
const LISTED = `${rows.REF_COLUMNS}, ${rows.ROW_COLUMNS}`;
/** CROSS JOIN fixes the order of the loops: the agent's streams by name, then each stream's row. */
const OF_AGENT = `FROM involved i CROSS JOIN streams s ON s.id = i.stream
  WHERE i.tenant = ? AND i.agent = ? AND i.kind = ?`;

/** The index on `due` ends with the row's id, so a page begins where the one before ended. */
const DUE_PLACE = `s.due <= ? AND (s.due, s.id) >
  (?, coalesce((SELECT id FROM streams WHERE tenant = ? AND kind = ? AND name = ?), 0))`;
const NO_STREAM: readonly SqlValue[] = ['', '', ''].map(utf8);

export function createReader(db: Database): Reader {
  const load = db.prepare(
    `SELECT ${rows.HEAD_COLUMNS} FROM entries e WHERE ${ONE_STREAM} AND e.seq > ? ORDER BY e.seq LIMIT ?`,
  );
  const lastEntry = db.prepare(
    `SELECT CAST(e.seq AS INTEGER), CAST(e.at AS INTEGER) FROM entries e
     WHERE ${ONE_STREAM} ORDER BY e.seq DESC LIMIT 1`,
  );
  const sizes = db.prepare(
    `SELECT CAST(e.seq AS INTEGER), length(e.payload) FROM entries e
     WHERE ${ONE_STREAM} AND e.seq > ? ORDER BY e.seq LIMIT ?`,
  );
  const read = db.prepare(
    `SELECT ${rows.HEAD_COLUMNS}, ${rows.BYTES_COLUMNS} FROM entries e
     WHERE ${ONE_STREAM} AND e.seq > ? AND e.seq <= ? ORDER BY e.seq`,
  );
  const listAll = db.prepare(
    `SELECT ${LISTED} FROM streams s WHERE s.tenant = ? AND s.kind = ? AND s.name > ? AND s.created_pos <= ?
     ORDER BY s.name LIMIT ?`,
  );
  const listOfAgent = db.prepare(
    `SELECT ${LISTED} ${OF_AGENT} AND i.name > ? AND s.created_pos <= ? GROUP BY i.name ORDER BY i.name LIMIT ?`,
  );
  const listOfRole = db.prepare(
    `SELECT ${LISTED} ${OF_AGENT} AND i.name > ? AND i.role = ? AND s.created_pos <= ? ORDER BY i.name LIMIT ?`,
  );
  const listNewest = db.prepare(
    `SELECT ${LISTED} ${OF_AGENT} AND i.role = ? AND i.stream < ? AND i.name >= ? AND i.name < ?
       AND s.created_pos <= ? ORDER BY i.stream DESC LIMIT ?`,
  );
  const streamRow = db.prepare(
    'SELECT CAST(id AS INTEGER) FROM streams WHERE tenant = ? AND kind = ? AND name = ?',
  );
  const count = db.prepare(`SELECT count(*) ${OF_AGENT} AND i.role = ? AND s.state = ?`);
  const feed = db.prepare(
    `SELECT CAST(e.pos AS INTEGER), ${rows.REF_COLUMNS}, ${rows.HEAD_COLUMNS}
     FROM entries e LEFT JOIN streams s ON s.id = e.stream WHERE e.pos > ? ORDER BY e.pos LIMIT ?`,
  );
  const due = db.prepare(
    `SELECT ${rows.REF_COLUMNS}, CAST(s.due AS INTEGER) FROM streams s
     WHERE s.due IS NOT NULL AND ${DUE_PLACE} ORDER BY s.due, s.id LIMIT ?`,
  );
  const dueOfKind = db.prepare(
    `SELECT ${rows.REF_COLUMNS}, CAST(s.due AS INTEGER) FROM streams s
     WHERE s.due IS NOT NULL AND ${DUE_PLACE} AND s.kind = ? ORDER BY s.due, s.id LIMIT ?`,
  );
  function dueRows({ upTo, limit, kind, after }: DueQuery): readonly (readonly unknown[])[] {
    const place = [upTo, after?.due ?? Number.MIN_SAFE_INTEGER, ...(after ? names(after.ref) : NO_STREAM)];
    return kind === undefined
      ? due.all([...place, whole(limit)])
      : dueOfKind.all([...place, utf8(kind), whole(limit)]);
  }

  /** The last sequence that still belongs to the page. */
  function pageEnd(ref: StreamRef, afterSeq: number, limit: ReadLimit): number {
    let end = afterSeq;
    let bytes = 0;
    for (const [seq, size] of sizes.all([...names(ref), afterSeq, whole(limit.entries)])) {
      if (bytes > limit.bytes) break;
      bytes += rows.integer(size);
      end = rows.integer(seq);
    }
    return end;
  }

  /** Rows of streams are numbered as they come. A stream that is not there has none before it. */
  function newest(query: ListQuery, prefix: string, upTo: number): readonly (readonly unknown[])[] {
    const { tenant, kind, agent = '', role = '', afterId } = query;
    const before =
      afterId === undefined
        ? Number.MAX_SAFE_INTEGER
        : rows.integer(streamRow.all([tenant, kind, afterId].map(utf8))[0]?.[0] ?? 0);
    const [from, to] = [utf8(prefix), Buffer.concat([utf8(prefix), BEYOND])];
    return listNewest.all([
      ...[tenant, agent, kind, role].map(utf8),
      before,
      from,
      to,
      upTo,
      whole(query.limit),
    ]);
  }

  function list({
    query,
    createdUpTo: upTo,
  }: Extract<ReadRequest, { verb: 'list' }>): readonly (readonly unknown[])[] {
    const { tenant, kind, agent, role } = query;
    if (query.newestFirst) return newest(query, query.newestFirst.idPrefix, upTo);
    const limit = whole(query.limit);
    const after = query.afterId === undefined ? BEFORE_ALL : utf8(query.afterId);
    if (agent === undefined) return listAll.all([utf8(tenant), utf8(kind), after, upTo, limit]);
    const mine = [utf8(tenant), utf8(agent), utf8(kind), after];
    if (role === undefined) return listOfAgent.all([...mine, upTo, limit]);
    return listOfRole.all([...mine, utf8(role), upTo, limit]);
  }

  return (request) => {
    const p = new Packer();
    switch (request.verb) {
      case 'load': {
        const { ref, afterSeq, limit } = request;
        for (const row of load.all([...names(ref), afterSeq, whole(limit)])) rows.packHeadRow(p, row);
        break;
      }
      case 'read': {
        const { ref, afterSeq } = request;
        const end = pageEnd(ref, afterSeq, request.limit);
        for (const row of read.all([...names(ref), afterSeq, end])) rows.packEntryRow(p, row);
        break;
      }
      case 'heads':
        for (const ref of request.refs) {
          const [row] = lastEntry.all(names(ref));
          p.number(row ? rows.integer(row[0]) : 0).number(row ? rows.integer(row[1]) : 0);
        }
        break;
      case 'list':
        for (const row of list(request)) rows.packListedRow(p, row);
        break;
      case 'count': {
        const { tenant, agent, kind, role, state } = request.query;
        p.number(rows.integer(count.all([tenant, agent, kind, role, state].map(utf8))[0]?.[0]));
        break;
      }
      case 'feed':
        for (const row of feed.all([request.afterPos, whole(request.limit)])) {
          p.number(rows.integer(row[0]));
          const head = rows.packRefRow(p, row, 1);
          rows.packHeadRow(p, row, head);
        }
        break;
      case 'due':
        for (const row of dueRows(request.query)) {
          const at = rows.packRefRow(p, row);
          p.number(rows.integer(row[at]));
        }
        break;
    }
    return p.finish();
  };
}

function names(ref: StreamRef): SqlValue[] {
  return [utf8(ref.tenant), utf8(ref.kind), utf8(ref.id)];
}

/** SQLite reads a negative limit as none, and refuses Infinity. */
function whole(limit: number): number {
  return Math.max(0, Math.min(limit, Number.MAX_SAFE_INTEGER));
}

function utf8(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}
