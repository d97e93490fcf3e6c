/** From rows of text to the port's values. */
import type { EntryHead, JsonObject, StreamKind, StreamRef } from '@handover/core';
import type { ListedStream, StreamRow } from '@handover/engine';
import { damaged } from './errors.js';
import type { Row } from './stage.js';

export const HEAD_COLUMNS =
  'e.seq, e.at, e.type, e.v, e.actor, e.message_id, e.payload_hash, e.prev, e.hash, e.facts';
export const HEAD_WIDTH = 10;
export const LISTED_COLUMNS = 's.name, s.created_at, s.state, s.due, s.summary';

export function headOf(row: Row, stream: StreamRef, from = 0): EntryHead {
  const factsText = text(row[from + 9]);
  return {
    stream,
    seq: integer(row[from]),
    at: integer(row[from + 1]),
    type: text(row[from + 2]),
    v: integer(row[from + 3]),
    actor: text(row[from + 4]),
    messageId: text(row[from + 5]),
    payloadHash: hex(row[from + 6]),
    prev: hex(row[from + 7]),
    hash: hex(row[from + 8]),
    factsText,
    facts: parsed(factsText),
  };
}

export function listedOf<K extends StreamKind>(
  [name, createdAt, state, due, summary]: Row,
  { tenant, kind }: { readonly tenant: string; readonly kind: K },
): ListedStream<K> {
  const row: StreamRow = {
    state: text(state),
    due: due === null ? null : integer(due),
    createdAt: integer(createdAt),
    summary: text(summary),
  };
  return { ref: { tenant, kind, id: text(name) } as StreamRef<K>, row };
}

export function refOf(row: Row, from = 0): StreamRef {
  const [tenant, kind, id] = [row[from], row[from + 1], row[from + 2]].map(text);
  return { tenant, kind, id } as StreamRef;
}

export function integer(value: string | null | undefined): number {
  const number = Number(value ?? Number.NaN);
  if (!Number.isSafeInteger(number)) throw damaged('a stored number is not an integer');
  return number;
}

export function text(value: string | null | undefined): string {
  if (value === null || value === undefined) throw damaged('a stored text is missing');
  return value;
}

/** Bytes come as `\x` and their hex digits. */
export function hex(value: string | null | undefined): string {
  return text(value).slice(2);
}

export function bytes(value: string | null | undefined): Uint8Array {
  return new Uint8Array(Buffer.from(hex(value), 'hex'));
}

function parsed(factsText: string): JsonObject {
  try {
    return JSON.parse(factsText) as JsonObject;
  } catch {
    throw damaged('stored facts are no JSON');
  }
}
