/**
 * The first flush of a commit: locks the heads of the streams that the batch may write, and says where they are.
 *
 * K1. Locks are taken in the order of ids and not waited for; what another node holds is skipped. So no circle arises.
 * K2. A stream that was skipped several times is waited for, before any other lock is taken.
 * K3. A head is locked in the statement that reads it, so that it is the head: what a snapshot from before the wait would
 *     show can be older.
 * K4. A new stream has nothing to be locked. One that is there and was not locked is held by another; without that second
 *     look it would seem to be new.
 */
import { type StreamRef, streamKey } from '@handover/core';
import type { CommitRequest } from '@handover/engine';
import { int8s } from './binary-arrays.js';
import type { Connection } from './connection.js';
import { integer } from './rows.js';
import type { Row, Step } from './stage.js';
import { canBeStored, IS_REF, REFS, refColumns, type StreamIds } from './stream-ids.js';

export interface Head {
  readonly id: number;
  readonly seq: number;
  readonly lam: number;
}

export interface Locked {
  /** The store's clock, read after the locks. */
  readonly now: number;
  /** Streams that may be written, by key. */
  readonly held: Map<string, Head>;
  /** Streams that are only consulted. */
  readonly read: ReadonlyMap<string, Head>;
  readonly skipped: Set<string>;
  /** Streams of which the lock and the look found nothing. */
  readonly absent: Set<string>;
}

export const BEGIN: Step = { name: 'begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE' };
export const COMMIT: Step = { name: 'commit', text: 'COMMIT' };
export const ROLLBACK: Step = { name: 'rollback', text: 'ROLLBACK' };

export const CLOCK: Step = {
  name: 'clock',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8',
};
const WAIT: Step = {
  name: 'wait-for-heads',
  text: 'SELECT h.stream FROM heads h WHERE h.stream = ANY($1::int8[]) ORDER BY h.stream FOR UPDATE',
};
const LOCK: Step = {
  name: 'lock-heads',
  text: 'SELECT h.stream, h.seq, h.lam FROM heads h WHERE h.stream = ANY($1::int8[]) ORDER BY h.stream FOR UPDATE SKIP LOCKED',
};
const LOCK_NAMED: Step = {
  name: 'lock-named-heads',
  text: `SELECT q.i, h.stream, h.seq, h.lam FROM ${REFS} JOIN streams s ON ${IS_REF} JOIN heads h ON h.stream = s.id
    ORDER BY h.stream FOR UPDATE OF h SKIP LOCKED`,
};
const LOOK: Step = {
  name: 'look-for-streams',
  text: `SELECT q.i, s.id FROM ${REFS} JOIN streams s ON ${IS_REF}`,
};
const READ: Step = {
  name: 'read-heads',
  text: `SELECT q.i, h.stream, h.seq, h.lam FROM ${REFS} JOIN streams s ON ${IS_REF} JOIN heads h ON h.stream = s.id`,
};

interface Asked {
  readonly key: string;
  readonly ref: StreamRef;
}

/** Begins a transaction. */
export async function lockHeads(
  connection: Connection,
  request: CommitRequest,
  ids: StreamIds,
  waits: boolean,
): Promise<Locked> {
  const write: { readonly key: string; readonly id: number; readonly wait: boolean }[] = [];
  const named: Asked[] = [];
  const consulted: Asked[] = [];
  const known = new Set<string>();
  for (const { ref, access, wait = false } of request.streams) {
    const key = streamKey(ref);
    known.add(key);
    const id = access === 'write' ? ids.get(key) : undefined;
    if (access === 'read') consulted.push({ key, ref });
    else if (id !== undefined) write.push({ key, id, wait: wait && waits });
    else named.push({ key, ref });
  }
  const askedFor: Asked[] = [...named];
  // Somebody may ask for a message without the stream it is in.
  for (const { stream: ref, ask } of request.messageIds) {
    const key = streamKey(ref);
    if (ask === 'ifMoved' || known.has(key) || ids.get(key) !== undefined) continue;
    known.add(key);
    askedFor.push({ key, ref });
  }
  const waited = write.filter(({ wait }) => wait).map(({ id }) => id);
  const steps: Step[] = [BEGIN];
  if (waited.length > 0) steps.push({ ...WAIT, values: [int8s(waited)] });
  const at = steps.length;
  steps.push({ ...LOCK, values: [int8s(write.map(({ id }) => id))] });
  const lists = [named, askedFor, consulted].map((list) => list.filter(({ ref }) => canBeStored(ref)));
  for (const [i, step] of [LOCK_NAMED, LOOK, READ].entries()) {
    const list = lists[i] ?? [];
    // Almost always there is nothing new, and nothing to consult.
    if (list.length > 0) steps.push({ ...step, values: refColumns(list.map(({ ref }) => ref)) });
  }
  steps.push(CLOCK);
  const done = await connection.run(steps);
  const rowsOf = (name: string): readonly Row[] =>
    done[steps.findIndex((step) => step.name === name)]?.rows ?? [];

  const held = new Map<string, Head>();
  const skipped = new Set<string>();
  const byId = new Map((done[at]?.rows ?? []).map((row) => headOf(row)).map((head) => [head.id, head]));
  for (const { key, id } of write) {
    const head = byId.get(id);
    if (head) held.set(key, head);
    else skipped.add(key);
  }
  take(rowsOf(LOCK_NAMED.name), lists[0] ?? [], held, ids);
  const absent = new Set(named.map(({ key }) => key));
  for (const key of held.keys()) absent.delete(key);
  for (const { key, id } of looked(rowsOf(LOOK.name), lists[1] ?? [])) {
    ids.set(key, id);
    if (absent.delete(key)) skipped.add(key);
  }
  const read = new Map<string, Head>();
  take(rowsOf(READ.name), lists[2] ?? [], read, ids);
  return { now: integer(done.at(-1)?.rows[0]?.[0]), held, read, skipped, absent };
}

/** Locks streams that nobody asked for before the decision. What is held elsewhere is added to `skipped`. */
export async function lockMore(
  connection: Connection,
  refs: readonly StreamRef[],
  ids: StreamIds,
  { held, skipped, absent }: Locked,
): Promise<void> {
  const asked = refs.filter(canBeStored).map((ref) => ({ key: streamKey(ref), ref }));
  const values = refColumns(asked.map(({ ref }) => ref));
  const [locked, found] = await connection.run([
    { ...LOCK_NAMED, values },
    { ...LOOK, values },
  ]);
  take(locked?.rows ?? [], asked, held, ids);
  for (const ref of refs) if (!held.has(streamKey(ref))) absent.add(streamKey(ref));
  for (const { key } of looked(found?.rows ?? [], asked)) if (absent.delete(key)) skipped.add(key);
}

/** Which of these streams are there, outside of any transaction. */
export async function whichExist(connection: Connection, refs: readonly StreamRef[]): Promise<string[]> {
  const [found] = await connection.run([{ ...LOOK, values: refColumns(refs) }]);
  return looked(
    found?.rows ?? [],
    refs.map((ref) => ({ key: streamKey(ref), ref })),
  ).map(({ key }) => key);
}

function take(rows: readonly Row[], asked: readonly Asked[], into: Map<string, Head>, ids: StreamIds): void {
  for (const [i, ...rest] of rows) {
    const key = asked[integer(i) - 1]?.key;
    if (key === undefined) continue;
    const head = headOf(rest);
    ids.set(key, head.id);
    into.set(key, head);
  }
}

function looked(
  rows: readonly Row[],
  asked: readonly Asked[],
): { readonly key: string; readonly id: number }[] {
  return rows.flatMap(([i, id]) => {
    const key = asked[integer(i) - 1]?.key;
    return key === undefined ? [] : [{ key, id: integer(id) }];
  });
}

function headOf([id, seq, lam]: Row): Head {
  return { id: integer(id), seq: integer(seq), lam: integer(lam) };
}
