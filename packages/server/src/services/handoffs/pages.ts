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

/** What a page may hold, as whoever asks for it measures it. Its first item is always there. */
export interface PageRoom<T> {
  readonly bytes: number;
  sizeOf(item: T): number;
}

export interface PageRequest<T> {
  readonly cursor?: string;
  readonly limit?: number;
  readonly room?: PageRoom<T>;
}

/** An item, and its number among those of its row. */
export interface Placed<T> {
  readonly item: T;
  readonly at: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

export async function gatherPage<K extends StreamKind, T>(
  engine: Engine,
  list: TokenList,
  query: Omit<ListQuery<K>, 'afterId' | 'limit'>,
  { cursor, limit = DEFAULT_LIMIT, room }: PageRequest<T>,
  itemsOf: (row: ListedStream<K>) => Promise<readonly Placed<T>[]>,
): Promise<Outcome<Page<T>>> {
  const text = cursor === undefined ? undefined : readPageToken(list, cursor);
  // This server never gives out an empty cursor.
  if (cursor !== undefined && !text) return { rejection: badCursor() };
  const place = placeIn(list, text);
  const wanted = Math.max(1, Math.min(limit, MAX_LIMIT));
  const rows = listedRows(engine, query, place.after);
  const items: T[] = [];
  let [bytes, size, before] = [0, 0, place.after ?? ''];
  for (let seen = 1; ; seen++) {
    const { value: row, done } = await rows.next();
    if (done) return { value: { items } };
    const { id } = row.ref;
    const from = place.inside?.id === id ? place.inside.from : 0;
    for (const { item, at } of await itemsOf(row)) {
      if (at < from) continue;
      size += room?.sizeOf(item) ?? 0;
      const isFull = items.length >= wanted || (room && size > room.bytes);
      if (isFull && items.length > 0)
        return { value: { items, nextCursor: pageToken(list, `${before}:${id}:${at}`) } };
      items.push(item);
      bytes += JSON.stringify(item).length;
    }
    const full = items.length >= wanted || bytes >= fixedLimits.listBytes.value || seen >= MAX_ROWS;
    before = id;
    if (!full) continue;
    const more = !(await rows.next()).done;
    return { value: { items, ...(more && { nextCursor: pageToken(list, id) }) } };
  }
}

interface PlaceInList {
  readonly after?: string;
  /** The row after it was shown in part; another one may have come between since. */
  readonly inside?: { readonly id: string; readonly from: number };
}

/** Only a session of several offers is ever shown in part, and its id has no colon. A key of a working session may have. */
function placeIn(list: TokenList, text: string | undefined): PlaceInList {
  if (!text) return {};
  const [, after = '', id, from] = (list === 'handoffs' && /^([^:]*):([^:]+):(\d{1,9})$/.exec(text)) || [];
  if (id === undefined) return { after: text };
  return { ...(after !== '' && { after }), inside: { id, from: Number(from) } };
}

export function badCursor(): Rejection {
  return rejectWith(RejectionCode.VALIDATION_ERROR, 'cursor is not one that this server gave', {
    field: 'cursor',
  });
}
