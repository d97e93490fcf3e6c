/**
 * Pages over the store's lists. The lists are ordered by id, and some rows may have to be skipped. So a page is
 * gathered from as many rows as it takes, up to a bound. At the bound the page is short, and its cursor says where to
 * go on.
 */
import { type Rejection, RejectionCode, rejectWith, type StreamKind } from '@handover/core';
import type { Engine, ListedStream, ListQuery } from '@handover/engine';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Outcome } from '../outcome.js';
import { pageToken, readPageToken, type TokenList } from '../page-token.js';

const ROWS = 100;
const MAX_ROWS = 1_000;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = fixedLimits.handoffListItems.value;

export interface PageRequest {
  readonly cursor?: string;
  readonly limit?: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

export async function gatherPage<K extends StreamKind, T>(
  engine: Engine,
  list: TokenList,
  query: Omit<ListQuery<K>, 'afterId' | 'limit'>,
  { cursor, limit = DEFAULT_LIMIT }: PageRequest,
  itemsOf: (row: ListedStream<K>) => Promise<readonly T[]>,
): Promise<Outcome<Page<T>>> {
  const place = cursor === undefined ? undefined : readPageToken(list, cursor);
  // This server never gives out an empty cursor.
  if (cursor !== undefined && !place) return { rejection: badCursor() };
  const wanted = Math.max(1, Math.min(limit, MAX_LIMIT));
  const items: T[] = [];
  let after = place;
  for (let seen = 0; seen < MAX_ROWS; ) {
    const rows = await engine.list({ ...query, limit: ROWS, ...(after !== undefined && { afterId: after }) });
    for (const [index, row] of rows.entries()) {
      items.push(...(await itemsOf(row)));
      after = row.ref.id;
      if (items.length >= wanted)
        return index + 1 < rows.length || rows.length === ROWS
          ? { value: { items, nextCursor: pageToken(list, after) } }
          : { value: { items } };
    }
    if (rows.length < ROWS) return { value: { items } };
    seen += rows.length;
  }
  return { value: { items, ...(after !== undefined && { nextCursor: pageToken(list, after) }) } };
}

function badCursor(): Rejection {
  return rejectWith(RejectionCode.VALIDATION_ERROR, 'cursor is not one that this server gave', {
    field: 'cursor',
  });
}
