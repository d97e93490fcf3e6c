/** What a batch appends, checked against the locked heads and laid out in columns for the write statement. */
import { FaultCode, HandoverError, type StreamRef, streamKey } from '@handover/core';
import type { StreamAppend, StreamRow } from '@handover/engine';
import { byteas, hexes, int4s, int8s, texts } from './binary-arrays.js';
import type { LaneState } from './lane.js';
import type { Head, Locked } from './locks.js';
import type { Step, Value } from './stage.js';
import { nextTick, streamId } from './stream-ids.js';
import { type PartName, writeStep } from './write-statement.js';

interface Moving {
  readonly ref: StreamRef;
  readonly id: number;
  /** Its head before; undefined: it is new. */
  readonly was: Head | undefined;
  /** The number of its first entry, of a new one. */
  readonly n: number;
  seq: number;
  at: number;
  row: StreamRow | undefined;
}

export interface Batch {
  readonly write: Step;
  readonly count: number;
  readonly streams: number;
  readonly lam: number;
  /** Of its first entry; empty: it has none. */
  readonly hash: string;
  readonly created: readonly { readonly key: string; readonly ref: StreamRef; readonly id: number }[];
}

/** The streams that do not go on where the appends begin; or the batch. Throws where a new stream has no row. */
export function layOut(
  appends: readonly StreamAppend[],
  locked: Locked,
  lane: LaneState,
  lam: number,
): { readonly conflict: readonly string[] } | Batch {
  const streams = new Map<string, Moving>();
  const wrong = new Set<string>();
  const entries: { readonly id: number; readonly entry: StreamAppend['entries'][number] }[] = [];
  const involved: {
    readonly id: number;
    readonly ref: StreamRef;
    readonly agent: string;
    readonly role: string;
  }[] = [];
  let tick = lane.streams;
  for (const { stream: ref, entries: added, row, involved: newly } of appends) {
    const key = streamKey(ref);
    const moving = streams.get(key) ?? begin(key, ref);
    if (!moving) {
      wrong.add(key);
      continue;
    }
    if (row) moving.row = row;
    for (const entry of added) {
      if (entry.seq !== moving.seq + 1) wrong.add(key);
      if (entry.seq === 1 && !moving.row) throw missingRow();
      moving.seq = entry.seq;
      moving.at = entry.at;
      entries.push({ id: moving.id, entry });
    }
    for (const { agent, role } of newly) involved.push({ id: moving.id, ref, agent, role });
    if (moving.seq === 0) wrong.add(key);
  }
  if (wrong.size > 0) return { conflict: [...wrong] };

  function begin(key: string, ref: StreamRef): Moving | undefined {
    const was = locked.held.get(key);
    if (!was && !locked.absent.has(key)) return undefined;
    if (!was) tick = nextTick(tick, locked.now);
    const moving: Moving = {
      ref,
      id: was?.id ?? streamId(tick, lane.lane),
      was,
      n: lane.n + entries.length + 1,
      seq: was?.seq ?? 0,
      at: 0,
      row: undefined,
    };
    streams.set(key, moving);
    return moving;
  }

  const all = [...streams.values()];
  const created = all.filter(({ was }) => !was);
  const changed = all.filter(({ was, seq }) => was && seq > was.seq);
  const parts: Partial<Record<PartName, readonly Value[]>> = {
    ...(entries.length > 0 && { entries: entryColumns(entries) }),
    ...(created.length > 0 && { streams: createdColumns(created) }),
    ...(changed.length > 0 && { heads: headColumns(changed) }),
    ...rowColumns(all.filter(({ was, row }) => was && row)),
    ...(involved.length > 0 && { involved: involvedColumns(involved) }),
    ...usageColumns(appends),
  };
  const { length: count } = entries;
  return {
    write: writeStep(
      { lane: lane.lane, n: lane.n, epoch: lane.epoch, count, streams: tick, lam, changed: changed.length },
      parts,
    ),
    count,
    streams: tick,
    lam,
    hash: entries[0]?.entry.hash ?? '',
    created: created.map(({ ref, id }) => ({ key: streamKey(ref), ref, id })),
  };
}

function entryColumns(
  entries: readonly { readonly id: number; readonly entry: StreamAppend['entries'][number] }[],
): Value[] {
  const all = entries.map(({ entry }) => entry);
  return [
    int8s(entries.map(({ id }) => id)),
    int4s(all.map(({ seq }) => seq)),
    int8s(all.map(({ at }) => at)),
    int8s(all.map(({ v }) => v)),
    texts(all.map(({ type }) => type)),
    texts(all.map(({ actor }) => actor)),
    texts(all.map(({ messageId }) => messageId)),
    hexes(all.map(({ payloadHash }) => payloadHash)),
    hexes(all.map(({ prev }) => prev)),
    hexes(all.map(({ hash }) => hash)),
    texts(all.map(({ factsText }) => factsText)),
    byteas(all.map(({ salt }) => salt)),
    byteas(all.map(({ payload }) => payload)),
  ];
}

function createdColumns(created: readonly Moving[]): Value[] {
  return [
    int8s(created.map(({ id }) => id)),
    texts(created.map(({ ref }) => ref.tenant)),
    texts(created.map(({ ref }) => ref.kind)),
    texts(created.map(({ ref }) => ref.id)),
    int8s(created.map(({ n }) => n)),
    int8s(created.map(({ row }) => row?.createdAt ?? 0)),
    texts(created.map(({ row }) => row?.state ?? '')),
    int8s(created.map(({ row }) => row?.due ?? null)),
    texts(created.map(({ row }) => row?.summary ?? '')),
    int4s(created.map(({ seq }) => seq)),
    int8s(created.map(({ at }) => at)),
  ];
}

function headColumns(changed: readonly Moving[]): Value[] {
  return [
    int8s(changed.map(({ id }) => id)),
    int4s(changed.map(({ was }) => was?.seq ?? 0)),
    int4s(changed.map(({ seq }) => seq)),
    int8s(changed.map(({ at }) => at)),
  ];
}

function rowColumns(all: readonly Moving[]): Partial<Record<PartName, readonly Value[]>> {
  const rows = all.flatMap(({ id, row }) => (row ? [{ id, row }] : []));
  if (rows.length === 0) return {};
  return {
    rows: [
      int8s(rows.map(({ id }) => id)),
      int8s(rows.map(({ row }) => row.createdAt)),
      texts(rows.map(({ row }) => row.state)),
      int8s(rows.map(({ row }) => row.due)),
      texts(rows.map(({ row }) => row.summary)),
    ],
  };
}

function involvedColumns(
  involved: readonly {
    readonly id: number;
    readonly ref: StreamRef;
    readonly agent: string;
    readonly role: string;
  }[],
): Value[] {
  return [
    texts(involved.map(({ ref }) => ref.tenant)),
    texts(involved.map(({ agent }) => agent)),
    texts(involved.map(({ ref }) => ref.kind)),
    texts(involved.map(({ ref }) => ref.id)),
    texts(involved.map(({ role }) => role)),
    int8s(involved.map(({ id }) => id)),
  ];
}

/** How many bytes each actor adds. */
function usageColumns(appends: readonly StreamAppend[]): Partial<Record<PartName, readonly Value[]>> {
  const tenants = new Map<string, Map<string, number>>();
  for (const { stream, entries } of appends)
    for (const { actor, payload } of entries) {
      if (payload.length === 0) continue;
      const actors = tenants.get(stream.tenant) ?? new Map<string, number>();
      tenants.set(stream.tenant, actors.set(actor, (actors.get(actor) ?? 0) + payload.length));
    }
  const counted = [...tenants].flatMap(([tenant, actors]) =>
    [...actors].map(([actor, bytes]) => ({ tenant, actor, bytes })),
  );
  if (counted.length === 0) return {};
  return {
    usage: [
      texts(counted.map(({ tenant }) => tenant)),
      texts(counted.map(({ actor }) => actor)),
      int8s(counted.map(({ bytes }) => bytes)),
    ],
  };
}

function missingRow(): HandoverError {
  return new HandoverError(FaultCode.INTERNAL, 'the first append of a stream must carry its row');
}
