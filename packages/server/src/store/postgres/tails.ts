/** Between the two flushes of a commit: what other nodes wrote since, and what message ids were used for. */
import { type EntryHead, type StreamRef, streamKey } from '@handover/core';
import { type CommitRequest, type SeenEntry, seenKey } from '@handover/engine';
import { int4s, int8s, texts } from './binary-arrays.js';
import type { Connection } from './connection.js';
import type { Locked } from './locks.js';
import { bytes, HEAD_COLUMNS, HEAD_WIDTH, headOf, integer } from './rows.js';
import type { Step } from './stage.js';
import type { StreamIds } from './stream-ids.js';

const TAILS: Step = {
  name: 'tails',
  text: `SELECT k.i, e.lam, ${HEAD_COLUMNS} FROM unnest($1::int8[], $2::int4[]) WITH ORDINALITY k(stream, seq, i)
    CROSS JOIN LATERAL (SELECT * FROM entries e WHERE e.stream = k.stream AND e.seq > k.seq) e ORDER BY k.i, e.seq`,
};
const SEEN: Step = {
  name: 'seen',
  text: `SELECT q.i, p.salt, ${HEAD_COLUMNS} FROM unnest($1::int8[], $2::text[]) WITH ORDINALITY q(stream, message_id, i)
    JOIN entries e ON e.stream = q.stream AND e.message_id = q.message_id COLLATE "C"
    JOIN payloads p ON p.stream = e.stream AND p.seq = e.seq`,
};

export interface Found {
  readonly tails: Map<string, EntryHead[]>;
  readonly seen: Map<string, SeenEntry>;
  /** The greatest of the tails' Lamport numbers. */
  readonly lam: number;
}

/** With one node there is almost never anything to ask, and nothing is sent. */
export async function lookBack(
  connection: Connection,
  request: CommitRequest,
  { held, read }: Locked,
  ids: StreamIds,
): Promise<Found> {
  const moved: {
    readonly key: string;
    readonly ref: StreamRef;
    readonly id: number;
    readonly after: number;
  }[] = [];
  for (const { ref, known } of request.streams) {
    const key = streamKey(ref);
    const head = held.get(key) ?? read.get(key);
    if (head && head.seq > known.seq) moved.push({ key, ref, id: head.id, after: known.seq });
  }
  const movedKeys = new Set(moved.map(({ key }) => key));
  const asked = request.messageIds.flatMap(({ stream, messageId, ask }) => {
    const key = streamKey(stream);
    const id = ids.get(key);
    const counts = (ask === 'always' || movedKeys.has(key)) && !messageId.includes('\0');
    return id !== undefined && counts ? [{ stream, messageId, id }] : [];
  });
  const found: Found = { tails: new Map(), seen: new Map(), lam: 0 };
  const steps: Step[] = [];
  if (moved.length > 0)
    steps.push({
      ...TAILS,
      values: [int8s(moved.map(({ id }) => id)), int4s(moved.map(({ after }) => after))],
    });
  if (asked.length > 0)
    steps.push({
      ...SEEN,
      values: [int8s(asked.map(({ id }) => id)), texts(asked.map(({ messageId }) => messageId))],
    });
  if (steps.length === 0) return found;
  const done = await connection.run(steps);
  let lam = 0;
  for (const row of moved.length > 0 ? (done[0]?.rows ?? []) : []) {
    const stream = moved[integer(row[0]) - 1];
    if (!stream) continue;
    lam = Math.max(lam, integer(row[1]));
    const tail = found.tails.get(stream.key) ?? [];
    tail.push(headOf(row, stream.ref, 2));
    found.tails.set(stream.key, tail);
  }
  for (const row of asked.length > 0 ? (done.at(-1)?.rows ?? []) : []) {
    const question = asked[integer(row[0]) - 1];
    if (!question || row.length < 2 + HEAD_WIDTH) continue;
    const { stream, messageId } = question;
    const entry = { ...headOf(row, stream, 2), salt: bytes(row[1]) };
    found.seen.set(seenKey(streamKey(stream), messageId), entry);
  }
  return { ...found, lam };
}
