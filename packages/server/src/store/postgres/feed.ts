/**
 * The feed over all lanes.
 *
 * F1. One statement reads a page, so it is of one moment: with an entry comes everything that it was decided on.
 * F2. Lamport numbers rise along every stream and every lane, and a batch has one. So a page in their order keeps each
 *     stream's order, keeps a batch together, and may be cut anywhere.
 * F3. A lane has no gap. What its row says is its end is there, so nothing is skipped by reading up to it.
 */
import type { Cursor, FeedItem, Store } from '@handover/engine';
import type { Pool } from './pool.js';
import { whole } from './reads.js';
import { HEAD_COLUMNS, headOf, integer, refOf } from './rows.js';
import type { Row, Step } from './stage.js';
import { cursorOf, type Vector, vectorColumns, vectorOf } from './vector-cursor.js';

const FEED: Step = {
  name: 'feed',
  text: `SELECT e.lane, e.n, s.tenant, s.kind, s.name, ${HEAD_COLUMNS}
    FROM (SELECT e.* FROM lanes l LEFT JOIN unnest($1::int4[], $2::int8[]) k(lane, n) ON k.lane = l.lane
      CROSS JOIN LATERAL (SELECT * FROM entries e WHERE e.lane = l.lane AND e.n > coalesce(k.n, 0) ORDER BY e.n LIMIT $3::int8) e
      ORDER BY e.lam, e.lane, e.n LIMIT $3::int8) e
    JOIN streams s ON s.id = e.stream ORDER BY e.lam, e.lane, e.n`,
};
export const ENDS: Step = { name: 'lane-ends', text: 'SELECT lane, n FROM lanes WHERE n > 0' };

export function createFeed(pool: Pool): Pick<Store, 'feed' | 'position' | 'behind'> {
  async function ends(): Promise<Vector> {
    const [done] = await pool.read([ENDS]);
    return endsOf(done?.rows ?? []);
  }

  return {
    async feed(after: Cursor, limit: number): Promise<readonly FeedItem[]> {
      const from = vectorOf(after);
      const [items] = await pool.read([{ ...FEED, values: [...vectorColumns(from), whole(limit)] }]);
      const at = new Map(from);
      return (items?.rows ?? []).map((row) => {
        at.set(integer(row[0]), integer(row[1]));
        return { at: cursorOf(at), entry: headOf(row, refOf(row, 2), 5) };
      });
    },
    position: async () => cursorOf(await ends()),
    async behind(of) {
      const from = vectorOf(of);
      let count = 0;
      for (const [lane, n] of await ends()) count += Math.max(0, n - (from.get(lane) ?? 0));
      return count;
    },
  };
}

export function endsOf(rows: readonly Row[]): Map<number, number> {
  return new Map(rows.map(([lane, n]) => [integer(lane), integer(n)]));
}
