/**
 * The statements of a batch, inside the writer's transaction.
 *
 * A1. Positions and stream numbers are counted here, from what the file holds; `forget` gives a batch's numbers back.
 * A2. A sequence must continue its stream. Heads are cached, bounded; the unique keys of the tables stay the authority.
 * A3. The bytes of a batch are counted by actor, and written once for each at its end.
 */
import type { Database, SqlValue } from './driver.js';
import { Packer, Unpacker } from './pack.js';
import { blob, HEAD_COLUMNS, integer, packHeadRow } from './rows.js';

/** About 200 bytes each. */
const CACHED_STREAMS = 65_536;

interface StreamHead {
  readonly id: number;
  seq: number;
}

/** The batch does not continue what is stored. */
export class Refused extends Error {}

export interface Appender {
  /** The last position, the current batch included. */
  position(): number;
  /** Runs one packed append. */
  append(u: Unpacker): void;
  /** All appends of the batch have run; the last statements before the commit. */
  finish(): void;
  /** How many bytes of payload are stored: packed tenant, and actor where there is one. */
  usage(packedQuestion: Uint8Array): number;
  /** The batch is committed. */
  keep(): void;
  /** The batch is rolled back. */
  forget(): void;
  /** Looks message ids up. For each one that is stored: its index among the questions, and the entry. */
  seen(packedQuestions: Uint8Array): Uint8Array<ArrayBuffer>;
}

export function createAppender(db: Database): Appender {
  const findStream = db.prepare('SELECT id FROM streams WHERE tenant = ? AND kind = ? AND name = ?');
  const lastSeq = db.prepare('SELECT coalesce(max(seq), 0) FROM entries WHERE stream = ?');
  const insertStream = db.prepare('INSERT INTO streams VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const updateStream = db.prepare(
    'UPDATE streams SET created_at = ?, state = ?, due = ?, summary = ? WHERE id = ?',
  );
  const insertEntry = db.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const insertInvolved = db.prepare('INSERT OR IGNORE INTO involved VALUES (?, ?, ?, ?, ?, ?)');
  const findMessage = db.prepare(
    `SELECT ${HEAD_COLUMNS}, CAST(e.salt AS BLOB) FROM entries e WHERE e.stream = ? AND e.message_id = ?`,
  );

  const addUsage = db.prepare(
    'INSERT INTO usage VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes',
  );
  const usageOfActor = db.prepare('SELECT bytes FROM usage WHERE tenant = ? AND actor = ?');
  const usageOfTenant = db.prepare('SELECT coalesce(sum(bytes), 0) FROM usage WHERE tenant = ?');

  const heads = new Map<string, StreamHead>();
  const counted = new Map<
    string,
    { readonly tenant: Uint8Array; readonly actor: Uint8Array; bytes: number }
  >();
  let touched: string[] = [];
  let pos = single(db, 'SELECT coalesce(max(pos), 0) FROM entries');
  let streams = single(db, 'SELECT coalesce(max(id), 0) FROM streams');
  let kept = { pos, streams };

  /** Mirrors packAppends in messages.ts. */
  function append(u: Unpacker): void {
    const start = u.offset;
    const ref = [u.view(), u.view(), u.view()] as const;
    const key = u.keySince(start);
    const row = u.number() === 1 ? ([u.number(), u.view(), u.nullable(), u.view()] as const) : undefined;
    const entries = u.number();
    const known = heads.get(key) ?? find(ref);
    if (!known && (!row || entries === 0)) throw new Refused();
    const head = known ?? { id: ++streams, seq: 0 };
    if (row && !known) insertStream.run([head.id, ...ref, pos + 1, ...row]);
    else if (row) updateStream.run([...row, head.id]);
    heads.set(key, head);
    touched.push(key);
    const [tenant, kind, name] = ref;
    for (let i = 0; i < entries; i++) insert(u, head, tenant);
    for (let i = u.number(); i > 0; i--)
      insertInvolved.run([tenant, u.view(), kind, name, u.view(), head.id]);
  }

  function insert(u: Unpacker, head: StreamHead, tenant: Uint8Array): void {
    const seq = u.number();
    if (seq !== head.seq + 1) throw new Refused();
    head.seq = seq;
    const [at, type, v, actor] = [u.number(), u.view(), u.number(), u.view()] as const;
    const values: SqlValue[] = [++pos, head.id, seq, at, type, v, actor, u.view()];
    values.push(u.view(), u.view(), u.view(), u.view(), u.view());
    const payload = u.view();
    insertEntry.run([...values, payload]);
    count(tenant, actor, payload.length);
  }

  function count(tenant: Uint8Array, actor: Uint8Array, bytes: number): void {
    if (bytes === 0) return;
    const key = `${tenant.length} ${latin1(tenant)}${latin1(actor)}`;
    const known = counted.get(key);
    if (known) known.bytes += bytes;
    else counted.set(key, { tenant, actor, bytes });
  }

  function finish(): void {
    for (const { tenant, actor, bytes } of counted.values()) addUsage.run([tenant, actor, bytes]);
    counted.clear();
  }

  function usage(packed: Uint8Array): number {
    const u = new Unpacker(packed);
    const tenant = u.view();
    const row = u.done ? usageOfTenant.all([tenant])[0] : usageOfActor.all([tenant, u.view()])[0];
    return row ? integer(row[0]) : 0;
  }

  function find(ref: readonly Uint8Array[]): StreamHead | undefined {
    const found = findStream.all(ref)[0];
    if (!found) return undefined;
    const id = integer(found[0]);
    return { id, seq: integer(lastSeq.all([id])[0]?.[0]) };
  }

  function keep(): void {
    touched = [];
    kept = { pos, streams };
    for (const oldest of heads.keys()) {
      if (heads.size <= CACHED_STREAMS) break;
      heads.delete(oldest);
    }
  }

  function forget(): void {
    for (const key of touched) heads.delete(key);
    touched = [];
    counted.clear();
    ({ pos, streams } = kept);
  }

  function seen(packed: Uint8Array): Uint8Array<ArrayBuffer> {
    const u = new Unpacker(packed);
    const p = new Packer();
    for (let i = 0; !u.done; i++) {
      const start = u.offset;
      const ref = [u.view(), u.view(), u.view()];
      const head = heads.get(u.keySince(start)) ?? find(ref);
      const messageId = u.view();
      const row = head && findMessage.all([head.id, messageId])[0];
      if (!row) continue;
      p.number(i);
      const salt = packHeadRow(p, row);
      p.bytes(blob(row[salt]));
    }
    return p.finish();
  }

  return { position: () => pos, append, finish, usage, keep, forget, seen };
}

/** Bytes as part of a map key. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

export function single(db: Database, sql: string): number {
  return integer(db.prepare(sql).all([])[0]?.[0]);
}
