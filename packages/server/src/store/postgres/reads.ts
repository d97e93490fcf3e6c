/** Reads of streams. All ask the primary, and see every commit that was answered before. */
import type { Entry, EntryHead, StreamRef } from '@handover/core';
import type { Store } from '@handover/engine';
import type { Pool } from './pool.js';
import { bytes, HEAD_COLUMNS, HEAD_WIDTH, headOf, integer } from './rows.js';
import type { Step, Value } from './stage.js';
import { canBeStored, IS_REF, REFS, refColumns } from './stream-ids.js';

const ONE_STREAM = '(SELECT id FROM streams WHERE tenant = $1 AND kind = $2 AND name = $3)';

const LOAD: Step = {
  name: 'load',
  text: `SELECT ${HEAD_COLUMNS} FROM entries e WHERE e.stream = ${ONE_STREAM} AND e.seq > $4::int4 ORDER BY e.seq LIMIT $5::int8`,
};
/** Sizes come first, so that a page of large payloads is never read beyond its limit. */
const READ: Step = {
  name: 'read',
  text: `SELECT ${HEAD_COLUMNS}, p.salt, p.payload
    FROM (SELECT stream, seq, sum(octet_length(payload)) OVER (ORDER BY seq) - octet_length(payload) AS before
      FROM (SELECT stream, seq, payload FROM payloads WHERE stream = ${ONE_STREAM} AND seq > $4::int4 ORDER BY seq LIMIT $5::int8) page) sized
    JOIN entries e ON e.stream = sized.stream AND e.seq = sized.seq
    JOIN payloads p ON p.stream = sized.stream AND p.seq = sized.seq
    WHERE sized.before <= $6::int8 ORDER BY e.seq`,
};
const HEADS: Step = {
  name: 'heads',
  text: `SELECT q.i, h.seq, h.at FROM ${REFS} JOIN streams s ON ${IS_REF} JOIN heads h ON h.stream = s.id`,
};

export async function headsOf(
  pool: Pool,
  refs: readonly StreamRef[],
  also: readonly Step[] = [],
): Promise<{
  readonly heads: readonly ({ seq: number; at: number } | undefined)[];
  readonly also: readonly Value[];
}> {
  const heads = refs.map((): { seq: number; at: number } | undefined => undefined);
  const asked = refs.map((ref) => (canBeStored(ref) ? ref : { ...ref, id: '' }));
  const done = await pool.read([{ ...HEADS, values: refColumns(asked) }, ...also]);
  for (const [i, seq, at] of done[0]?.rows ?? [])
    heads[integer(i) - 1] = { seq: integer(seq), at: integer(at) };
  return { heads, also: done.slice(1).map(({ rows }) => rows[0]?.[0] ?? null) };
}

export function createReads(pool: Pool): Pick<Store, 'load' | 'read' | 'heads'> {
  const values = (ref: StreamRef, afterSeq: number): Value[] => [ref.tenant, ref.kind, ref.id, afterSeq];
  return {
    async load(ref, afterSeq, limit): Promise<readonly EntryHead[]> {
      if (!canBeStored(ref)) return [];
      const [done] = await pool.read([{ ...LOAD, values: [...values(ref, afterSeq), whole(limit)] }]);
      return (done?.rows ?? []).map((row) => headOf(row, ref));
    },
    async read(ref, afterSeq, limit): Promise<readonly Entry[]> {
      if (!canBeStored(ref)) return [];
      const page = [whole(limit.entries), whole(limit.bytes)];
      const [done] = await pool.read([{ ...READ, values: [...values(ref, afterSeq), ...page] }]);
      return (done?.rows ?? []).map((row) => ({
        ...headOf(row, ref),
        salt: bytes(row[HEAD_WIDTH]),
        payload: bytes(row[HEAD_WIDTH + 1]),
      }));
    },
    heads: async (refs) => (refs.length === 0 ? [] : (await headsOf(pool, refs)).heads),
  };
}

export function whole(limit: number): number {
  return Math.max(0, Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER));
}
