/** Earlier requests that asked for the same, found by an index of the store and without reading any of them. */
import { Effect, isFields, likeOf, OperationStatus, StreamKind } from '@handover/core';
import type { ListedStream } from '@handover/engine';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { OperationDependencies } from './dependencies.js';

/** One of them, with what its row says. */
export interface AlikeRow extends Pick<ListedStream<'operation'>, 'ref' | 'row'> {
  /** Of the whole record; rows of 0.1.0 do not say it. */
  readonly effect: Effect;
  /** Whoever held the link did not want it, and nothing was sent. */
  readonly declined: boolean;
}

const SENT_NOTHING: ReadonlySet<string> = new Set([OperationStatus.Cancelled, OperationStatus.Expired]);

/** Undefined: it is known that nothing was sent, that nothing can be signed any more, and nobody had said no. */
function rowOf({ ref, row }: ListedStream<'operation'>): AlikeRow | undefined {
  const read: unknown = JSON.parse(row.summary);
  const summary = isFields(read) ? read : {};
  const effect = Object.values(Effect).find((one) => one === summary.effect) ?? Effect.Unknown;
  const declined = summary.declined === true;
  const sentNothing =
    SENT_NOTHING.has(row.state) ||
    (row.state === OperationStatus.Failed && summary.over === true && effect === Effect.None);
  return sentNothing && !declined ? undefined : { ref, row, effect, declined };
}

const MOST_FIRST: readonly Effect[] = [
  Effect.Exceeded,
  Effect.Done,
  Effect.Partial,
  Effect.Different,
  Effect.Unknown,
  Effect.None,
];

export const hasHappenedMore = (one: Effect, other: Effect): boolean =>
  MOST_FIRST.indexOf(one) < MOST_FIRST.indexOf(other);

/** Those of which most has happened, then those that can still be signed, then the newest. */
const byWeight = (one: AlikeRow, other: AlikeRow): number =>
  MOST_FIRST.indexOf(one.effect) - MOST_FIRST.indexOf(other.effect) ||
  Number(one.declined) - Number(other.declined) ||
  other.row.createdAt - one.row.createdAt;

/**
 * Those of which something was or may have been sent, or can still be, and those that were declined: the ones of which most
 * has happened first, so that however many equal requests are made, they hide none that was paid. As many are taken for a
 * request of many steps as for one of a single step, but some for each.
 */
export async function alike(
  deps: OperationDependencies,
  tenant: string,
  names: readonly string[],
  /** Of the index, looked through for all of them. */
  mostRows: number = fixedLimits.likeRows.value,
): Promise<{ readonly rows: readonly AlikeRow[]; readonly ids: ReadonlySet<string> }> {
  const { value: most } = fixedLimits.likeOperations;
  const limit = Math.max(fixedLimits.likeOperationsOfStep.value, Math.floor(most / names.length));
  const found = new Map<string, AlikeRow>();
  const ids = new Set<string>();
  for (const name of names) {
    const rows = Math.max(limit, Math.floor(mostRows / names.length));
    const own = await alikeOf(deps, tenant, name, { limit, rows });
    for (const { ref, declined } of own) if (!declined) ids.add(ref.id);
    for (const one of own.sort(byWeight).slice(0, limit)) found.set(one.ref.id, one);
  }
  return { rows: [...found.values()].sort(byWeight).slice(0, most), ids };
}

interface Bounds {
  /** So many of which something has happened are enough. */
  readonly limit: number;
  /** Of the index, looked through for them. */
  readonly rows: number;
}

async function alikeOf(
  { engine, now }: OperationDependencies,
  tenant: string,
  name: string,
  { limit, rows }: Bounds,
): Promise<AlikeRow[]> {
  const since = now() - fixedLimits.likeOperationsMs.value;
  const query = { tenant, kind: StreamKind.Operation, ...likeOf(name), newestFirst: { idPrefix: '' } };
  const found: AlikeRow[] = [];
  const happened = () => found.filter(({ effect }) => effect !== Effect.None).length;
  let afterId: string | undefined;
  // Mostly the first page has all. Pages grow, so that a long row of equal ones costs few questions.
  for (let page = limit, left = rows; left > 0 && happened() < limit; left -= page, page *= 2) {
    const size = Math.min(page, left);
    const listed = await engine.list({ ...query, limit: size, ...(afterId !== undefined && { afterId }) });
    const recent = listed.filter(({ row }) => row.createdAt >= since);
    found.push(...recent.map(rowOf).filter((one) => one !== undefined));
    if (recent.length < size) break;
    afterId = listed.at(-1)?.ref.id;
  }
  return found;
}
