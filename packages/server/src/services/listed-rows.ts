/**
 * The rows of a list, one after another. They are fetched in pages that begin small and grow while the rows are light:
 * one row may hold a quarter of a megabyte, and whoever reads them stops at what a page of its own may hold.
 */
import type { StreamKind } from '@handover/core';
import type { Engine, ListedStream, ListQuery } from '@handover/engine';

const FIRST_ROWS = 16;
const MOST_ROWS = 256;
const HEAVY_BYTES = 262_144;

export async function* listedRows<K extends StreamKind>(
  engine: Pick<Engine, 'list'>,
  query: Omit<ListQuery<K>, 'afterId' | 'limit'>,
  after?: string,
): AsyncGenerator<ListedStream<K>, undefined> {
  let afterId = after;
  for (let limit = FIRST_ROWS; ; ) {
    const rows = await engine.list({ ...query, limit, ...(afterId !== undefined && { afterId }) });
    yield* rows;
    if (rows.length < limit) return undefined;
    afterId = rows.at(-1)?.ref.id;
    const bytes = rows.reduce((sum, { row }) => sum + row.summary.length, 0);
    if (bytes < HEAVY_BYTES) limit = Math.min(limit * 2, MOST_ROWS);
  }
}
