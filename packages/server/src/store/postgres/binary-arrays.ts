/**
 * Arrays as PostgreSQL takes them in binary: one parameter holds a column of many rows, and bytes travel as they are (as
 * text, bytes would double).
 */
const OID = { int4: 23, int8: 20, text: 25, bytea: 17 } as const;
const HEADER = 20;

export function int4s(values: readonly number[]): Buffer {
  const { buffer, at } = begin(OID.int4, values.length, values.length * 8);
  let offset = at;
  for (const value of values) {
    offset = buffer.writeInt32BE(4, offset);
    offset = buffer.writeInt32BE(value, offset);
  }
  return buffer;
}

export function int8s(values: readonly (number | null)[]): Buffer {
  const { buffer, at } = begin(OID.int8, values.length, values.length * 12);
  let offset = at;
  let isNullIn = false;
  for (const value of values) {
    isNullIn ||= value === null;
    offset = buffer.writeInt32BE(value === null ? -1 : 8, offset);
    if (value !== null) offset = buffer.writeBigInt64BE(BigInt(value), offset);
  }
  buffer.writeInt32BE(isNullIn ? 1 : 0, 4);
  return buffer.subarray(0, offset);
}

export function texts(values: readonly string[]): Buffer {
  return ofBytes(
    OID.text,
    values.map((value) => Buffer.from(value, 'utf8')),
  );
}

export function byteas(values: readonly Uint8Array[]): Buffer {
  return ofBytes(OID.bytea, values);
}

export function hexes(values: readonly string[]): Buffer {
  return ofBytes(
    OID.bytea,
    values.map((value) => Buffer.from(value, 'hex')),
  );
}

function ofBytes(oid: number, values: readonly Uint8Array[]): Buffer {
  const size = values.reduce((sum, { length }) => sum + 4 + length, 0);
  const { buffer, at } = begin(oid, values.length, size);
  let offset = at;
  for (const value of values) {
    offset = buffer.writeInt32BE(value.length, offset);
    buffer.set(value, offset);
    offset += value.length;
  }
  return buffer;
}

/** One dimension, counted from 1. */
function begin(oid: number, count: number, size: number): { readonly buffer: Buffer; readonly at: number } {
  const buffer = Buffer.allocUnsafe(HEADER + size);
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(0, 4);
  buffer.writeInt32BE(oid, 8);
  buffer.writeInt32BE(count, 12);
  buffer.writeInt32BE(1, 16);
  return { buffer, at: HEADER };
}
