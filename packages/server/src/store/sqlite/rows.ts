/** From SQL rows to packed answers. Every value's type is checked: a damaged byte must not travel on as something else. */
import type { Packer } from './pack.js';
import { damaged } from './sqlite-error.js';

type Row = readonly unknown[];

/** What an entry's head is made of; see D1 in driver.ts for the casts. */
export const HEAD_COLUMNS = `CAST(e.seq AS INTEGER), CAST(e.at AS INTEGER), CAST(e.type AS BLOB), CAST(e.v AS INTEGER),
  CAST(e.actor AS BLOB), CAST(e.message_id AS BLOB), CAST(e.payload_hash AS BLOB), CAST(e.prev AS BLOB),
  CAST(e.hash AS BLOB), CAST(e.facts AS BLOB)`;
const HEAD_WIDTH = 10;

export const BYTES_COLUMNS = 'CAST(e.salt AS BLOB), CAST(e.payload AS BLOB)';
export const REF_COLUMNS = 'CAST(s.tenant AS BLOB), CAST(s.kind AS BLOB), CAST(s.name AS BLOB)';
export const ROW_COLUMNS = `CAST(s.created_at AS INTEGER), CAST(s.state AS BLOB), CAST(s.due AS INTEGER),
  CAST(s.summary AS BLOB)`;

export function packHeadRow(p: Packer, row: Row, from = 0): number {
  p.number(integer(row[from]))
    .number(integer(row[from + 1]))
    .bytes(blob(row[from + 2]));
  p.number(integer(row[from + 3]));
  for (let i = from + 4; i < from + HEAD_WIDTH; i++) p.bytes(blob(row[i]));
  return from + HEAD_WIDTH;
}

export function packEntryRow(p: Packer, row: Row): void {
  const next = packHeadRow(p, row);
  p.bytes(blob(row[next])).bytes(blob(row[next + 1]));
}

export function packRefRow(p: Packer, row: Row, from = 0): number {
  p.bytes(blob(row[from]))
    .bytes(blob(row[from + 1]))
    .bytes(blob(row[from + 2]));
  return from + 3;
}

export function packListedRow(p: Packer, row: Row): void {
  const at = packRefRow(p, row);
  p.number(integer(row[at])).bytes(blob(row[at + 1]));
  p.nullable(row[at + 2] === null ? null : integer(row[at + 2])).bytes(blob(row[at + 3]));
}

/** An integer beyond 2^53 arrives rounded; we never store one, so it is damage. */
export function integer(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw damaged('a stored number is not an integer');
}

export function blob(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw damaged('a stored text is missing');
}
