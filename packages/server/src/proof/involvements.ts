/** The table of who is involved, compared with what the log gives. */
import type { StreamRef } from '@handover/core';
import { streamKey } from '@handover/core';
import type { Involvement } from '@handover/engine';
import type { SqliteReadOnly } from '../store/sqlite/index.js';
import type { LocatedFlaw } from './located-flaw.js';
import type { SetComparison } from './set-comparison.js';

export interface InvolvementSource {
  readonly view: Pick<SqliteReadOnly, 'streams' | 'involvements'>;
  /** Streams whose log is broken, by streamKey: nothing can be said of them. */
  readonly flawed: ReadonlySet<string>;
  /** The involvements that the log of a sound stream gives. */
  readonly expected: (ref: StreamRef) => Promise<readonly Involvement[]>;
}

export function involvementRow(ref: StreamRef, { agent, role }: Involvement): string {
  return JSON.stringify([ref.tenant, ref.kind, ref.id, agent, role]);
}

/** `comparison` already has every expected row; here it gets the rows of the table. */
export async function involvementFlaws(
  source: InvolvementSource,
  comparison: SetComparison,
): Promise<readonly LocatedFlaw[]> {
  for (const found of judged(source)) comparison.found(involvementRow(found.ref, found));
  const buckets = comparison.differing();
  if (buckets.size === 0) return [];
  const suspicious = (row: string) => buckets.has(comparison.bucketOf(row));
  const missing = await expectedRows(source, suspicious);
  const flaws: LocatedFlaw[] = [];
  for (const { ref, agent, role } of judged(source)) {
    const row = involvementRow(ref, { agent, role });
    if (suspicious(row) && !missing.delete(row))
      flaws.push({ ref, what: `involvement of "${agent}" as ${role} is in the list table, not in the log` });
  }
  for (const { ref, agent, role } of missing.values())
    flaws.push({ ref, what: `involvement of "${agent}" as ${role} is in the log, not in the list table` });
  return flaws;
}

function* judged({ view, flawed }: InvolvementSource): Generator<{ ref: StreamRef } & Involvement> {
  for (const found of view.involvements()) if (!flawed.has(streamKey(found.ref))) yield found;
}

async function expectedRows(
  { view, flawed, expected }: InvolvementSource,
  suspicious: (row: string) => boolean,
): Promise<Map<string, { ref: StreamRef } & Involvement>> {
  const rows = new Map<string, { ref: StreamRef } & Involvement>();
  for (const { ref } of view.streams()) {
    if (flawed.has(streamKey(ref))) continue;
    for (const { agent, role } of await expected(ref)) {
      const row = involvementRow(ref, { agent, role });
      if (suspicious(row)) rows.set(row, { ref, agent, role });
    }
  }
  return rows;
}
