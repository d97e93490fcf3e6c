/**
 * A slow second opinion on what bytes mean, for the property tests. protobuf-es is the oracle for values, but it misreads
 * a known field with a foreign wire type and lets a sub-message run over its end. So bytes are first cut into records
 * here, by the book; whatever is foreign is dropped, and protobuf-es reads the rest.
 */
import { type DescField, type DescMessage, fromBinary, ScalarType } from '@bufbuild/protobuf';
import { plain } from './plain.js';

interface Record {
  readonly number: number;
  readonly wireType: number;
  /** Value without tag; for wire type 2 without length. */
  readonly value: Uint8Array;
}

type Entry = { readonly entry: true };

interface Expected {
  readonly wireType: number;
  readonly nested?: DescMessage | Entry;
  /** An int64, which we refuse where a number cannot hold it, even if a later occurrence would replace it. */
  readonly safe?: boolean;
}

class Cut extends Error {}

/** What `bytes` are in core's terms, or undefined when they are not a message of this schema. */
export function reference(schema: DescMessage, bytes: Uint8Array): unknown {
  try {
    return plain(schema, fromBinary(schema, sanitize(schema, bytes)));
  } catch {
    return undefined;
  }
}

function sanitize(schema: DescMessage | Entry, bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (const { number, wireType, value } of records(bytes)) {
    const expected =
      'entry' in schema ? entryField(number) : describe(schema.fields.find((f) => f.number === number));
    if (expected === undefined || expected.wireType !== wireType) continue;
    if (expected.safe === true) assertSafe(value);
    const clean = expected.nested === undefined ? value : sanitize(expected.nested, value);
    out.push((number << 3) | wireType, ...(wireType === 2 ? varint(clean.length) : []), ...clean);
  }
  return Uint8Array.from(out);
}

function entryField(number: number): Expected | undefined {
  return number === 1 || number === 2 ? { wireType: 2 } : undefined;
}

function describe(field: DescField | undefined): Expected | undefined {
  if (field === undefined) return undefined;
  if (field.message !== undefined) return { wireType: 2, nested: field.message };
  if (field.fieldKind === 'map') return { wireType: 2, nested: { entry: true } };
  if (field.scalar === ScalarType.DOUBLE) return { wireType: 1 };
  if (field.scalar === ScalarType.INT64) return { wireType: 0, safe: true };
  return { wireType: field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES ? 2 : 0 };
}

function assertSafe(value: Uint8Array): void {
  if (!Number.isSafeInteger(Number(BigInt.asIntN(64, readVarint(value, 0, 10)[0])))) throw new Cut();
}

function* records(bytes: Uint8Array): Generator<Record> {
  let pos = 0;
  while (pos < bytes.length) {
    const [record, next] = record1(bytes, pos, 0);
    yield record;
    pos = next;
  }
}

function record1(bytes: Uint8Array, start: number, depth: number): [Record, next: number] {
  const [tag, from] = readVarint(bytes, start, 5);
  const [number, wireType] = [Number(tag >> 3n), Number(tag & 7n)];
  if (tag > 0xffffffffn || number === 0) throw new Cut();
  const take = (begin: number, length: number): [Record, number] => {
    if (begin + length > bytes.length) throw new Cut();
    return [{ number, wireType, value: bytes.slice(begin, begin + length) }, begin + length];
  };
  if (wireType === 0) return take(from, readVarint(bytes, from, 10)[1] - from);
  if (wireType === 1) return take(from, 8);
  if (wireType === 5) return take(from, 4);
  if (wireType === 2) {
    const [length, body] = readVarint(bytes, from, 5);
    return take(body, Number(length));
  }
  if (wireType === 3) return take(from, endOfGroup(bytes, from, number, depth) - from);
  throw new Cut();
}

function endOfGroup(bytes: Uint8Array, start: number, number: number, depth: number): number {
  if (depth >= 100) throw new Cut();
  for (let pos = start; ; ) {
    const [tag, next] = readVarint(bytes, pos, 5);
    if (tag > 0xffffffffn) throw new Cut();
    if ((tag & 7n) === 4n) {
      if (Number(tag >> 3n) !== number) throw new Cut();
      return next;
    }
    pos = record1(bytes, pos, depth + 1)[1];
  }
}

function readVarint(bytes: Uint8Array, start: number, limit: number): [value: bigint, next: number] {
  let value = 0n;
  for (let index = 0; index < limit; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) throw new Cut();
    value |= BigInt(byte & 0x7f) << BigInt(7 * index);
    if (byte < 0x80) return [value, start + index + 1];
  }
  throw new Cut();
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}
