/**
 * Pages over the store's lists. The lists are ordered by id, and some rows may have to be skipped. So a page is
 * gathered from as many rows as it takes, up to a bound, and up to what a page may hold in bytes. At a bound the page is
 * short, and its cursor says where to go on.
 */
import { type Rejection, RejectionCode, rejectWith, type StreamKind } from '@handover/core';
import type { Engine, ListedStream, ListQuery } from '@handover/engine';
import { fixedLimits } from '../../config/fixed-limits.js';
import { listedRows } from '../listed-rows.js';
import type { Outcome } from '../outcome.js';
import { pageToken, readPageToken, type TokenList } from '../page-token.js';

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
  const rows = listedRows(engine, query, place);
  const items: T[] = [];
  let bytes = 0;
  for (let seen = 1; ; seen++) {
    const { value: row, done } = await rows.next();
    if (done) return { value: { items } };
    for (const item of await itemsOf(row)) {
      items.push(item);
      bytes += JSON.stringify(item).length;
    }
    const full = items.length >= wanted || bytes >= fixedLimits.listBytes.value || seen >= MAX_ROWS;
    if (!full) continue;
    const more = !(await rows.next()).done;
    return { value: { items, ...(more && { nextCursor: pageToken(list, row.ref.id) }) } };
  }
}

export function badCursor(): Rejection {
  return rejectWith(RejectionCode.VALIDATION_ERROR, 'cursor is not one that this server gave', {
    field: 'cursor',
  });
}
