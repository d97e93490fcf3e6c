/** Earlier requests that asked for the same, found by an index of the store and without reading any of them. */
import { Effect, likeOf, member, OperationStatus, StreamKind } from '@handover/core';
import type { ListedStream } from '@handover/engine';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { OperationDependencies } from './dependencies.js';

const SENT_NOTHING: ReadonlySet<string> = new Set([OperationStatus.Cancelled, OperationStatus.Expired]);

/** It is known without reading it that nothing was sent, and that nothing can be signed any more. */
const sentNothing = ({ row: { state, summary } }: ListedStream<'operation'>): boolean =>
  SENT_NOTHING.has(state) || (state === OperationStatus.Failed && isOverWithNothing(JSON.parse(summary)));

const isOverWithNothing = (summary: unknown): boolean =>
  member(summary, 'over') === true && member(summary, 'effect') === Effect.None;

/**
 * Those of which something may have been sent, newest first. As many are taken for a request of many steps as for one of a
 * single step, but some for each. Others are passed over before they are counted, so that equal requests that were
 * made and withdrawn, or have failed, do not hide the one that was paid.
 */
export async function alike(
  deps: OperationDependencies,
  tenant: string,
  names: readonly string[],
  /** Of the index, looked at for all of them. */
  mostRows: number = fixedLimits.likeRows.value,
) {
  const { value: most } = fixedLimits.likeOperations;
  const limit = Math.max(fixedLimits.likeOperationsOfStep.value, Math.floor(most / names.length));
  const found = new Map<string, ListedStream<'operation'>>();
  for (const name of names)
    for (const one of await alikeOf(deps, tenant, name, {
      limit,
      rows: Math.max(limit, Math.floor(mostRows / names.length)),
    }))
      found.set(one.ref.id, one);
  return [...found.values()].sort((one, other) => other.row.createdAt - one.row.createdAt).slice(0, most);
}

interface Bounds {
  readonly limit: number;
  /** Of the index, looked at for them. */
  readonly rows: number;
}

async function alikeOf(
  { engine, now }: OperationDependencies,
  tenant: string,
  name: string,
  { limit, rows }: Bounds,
): Promise<readonly ListedStream<'operation'>[]> {
  const since = now() - fixedLimits.likeOperationsMs.value;
  const query = { tenant, kind: StreamKind.Operation, ...likeOf(name), newestFirst: { idPrefix: '' } };
  const found: ListedStream<'operation'>[] = [];
  let afterId: string | undefined;
  // Mostly the first page has enough. Pages grow, so that a long row of withdrawn ones costs few questions.
  for (let page = limit, left = rows; left > 0 && found.length < limit; left -= page, page *= 2) {
    const size = Math.min(page, left);
    const listed = await engine.list({ ...query, limit: size, ...(afterId !== undefined && { afterId }) });
    const recent = listed.filter(({ row }) => row.createdAt >= since);
    found.push(...recent.filter((one) => !sentNothing(one)));
    if (recent.length < size) break;
    afterId = listed.at(-1)?.ref.id;
  }
  return found.slice(0, limit);
}
