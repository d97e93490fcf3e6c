/** Bytes of any message as data. What is set twice is merged as protobuf merges; unknown fields are dropped. */
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { text } from '../proto/utf8.js';
import type { Dynamic, FieldValue, ListField, MapField, Scalar, Single, SingleField } from './dynamic.js';
import { ENUM, type ScalarForm, scalarForm } from './scalars.js';

const MAX_DEPTH = 64;
const KEY = 1;
const VALUE = 2;

/** Undefined when the bytes are not that message. */
export function decodeDynamic(schema: DescMessage, bytes: Uint8Array): Dynamic | undefined {
  try {
    return decode(schema, bytes, { depth: 1, plain: false });
  } catch {
    return undefined;
  }
}

/** Undefined also when the bytes say something that a message does not hold: found out before much of it was read. */
export function decodePlain(schema: DescMessage, bytes: Uint8Array): Dynamic | undefined {
  try {
    return decode(schema, bytes, { depth: 1, plain: true });
  } catch {
    return undefined;
  }
}

interface Way {
  readonly depth: number;
  /** Nothing unknown, and nothing twice. */
  readonly plain: boolean;
}

const deeper = ({ depth, plain }: Way): Way => ({ depth: depth + 1, plain });

function decode(schema: DescMessage, bytes: Uint8Array, way: Way): Dynamic {
  if (way.depth > MAX_DEPTH) throw new Error('nested too deep');
  const fields = new Map<DescField, FieldValue>();
  /** The pieces of a message that came more than once: together they are its bytes. */
  const pieces = new Map<DescField, Uint8Array[]>();
  const byNumber = fieldsOf(schema);
  const reader = new BinaryReader(bytes, wholeText);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const field = byNumber.get(number);
    if (!field || !fits(field, wireType)) {
      if (way.plain) throw new Error('a field that is not known');
      reader.skip(wireType, number);
    } else if (field.fieldKind === 'list') readItems(fields, field, reader, wireType, way);
    else if (field.fieldKind === 'map') readEntry(fields, field, reader, way);
    else {
      if (way.plain && (fields.has(field) || pieces.has(field))) throw new Error('a field twice');
      readSingle(fields, pieces, field, reader);
    }
  }
  for (const [field, parts] of pieces)
    if (field.message) fields.set(field, decode(field.message, joined(parts), deeper(way)));
  return { schema, fields };
}

function readSingle(
  fields: Map<DescField, FieldValue>,
  pieces: Map<DescField, Uint8Array[]>,
  field: SingleField,
  reader: BinaryReader,
): void {
  for (const other of field.oneof?.fields ?? [])
    if (other !== field) {
      fields.delete(other);
      pieces.delete(other);
    }
  if (field.fieldKind === 'message') {
    const parts = pieces.get(field) ?? [];
    parts.push(reader.bytes());
    pieces.set(field, parts);
  } else {
    const form = formOf(field);
    const value = form.read(reader);
    // A default that is written stays: it takes the place of what came before.
    fields.set(field, value);
  }
}

function readItems(
  fields: Map<DescField, FieldValue>,
  field: ListField,
  reader: BinaryReader,
  wireType: WireType,
  way: Way,
): void {
  const items = (fields.get(field) ?? []) as Single[];
  fields.set(field, items);
  if (field.listKind === 'message') {
    items.push(decode(field.message, reader.bytes(), deeper(way)));
    return;
  }
  const form = formOf(field);
  if (wireType === form.wireType) {
    items.push(form.read(reader));
    return;
  }
  const packed = new BinaryReader(reader.bytes(), wholeText);
  while (packed.pos < packed.len) items.push(form.read(packed));
}

function readEntry(
  fields: Map<DescField, FieldValue>,
  field: MapField,
  reader: BinaryReader,
  way: Way,
): void {
  const entries = (fields.get(field) ?? new Map()) as Map<Scalar, Single>;
  fields.set(field, entries);
  const keys = scalarForm(field.mapKey);
  let key: Scalar = keys.zero;
  let value: Single | undefined;
  const entry = new BinaryReader(reader.bytes(), wholeText);
  while (entry.pos < entry.len) {
    const [number, wireType] = entry.tag();
    if (number === KEY && wireType === keys.wireType) key = keys.read(entry);
    else if (number !== VALUE || wireType !== wireTypeOf(field)) entry.skip(wireType, number);
    else
      value = field.message ? decode(field.message, entry.bytes(), deeper(way)) : formOf(field).read(entry);
  }
  entries.set(
    key,
    value ?? (field.message ? { schema: field.message, fields: new Map() } : formOf(field).zero),
  );
}

function fits(field: DescField, wireType: WireType): boolean {
  const own = field.fieldKind === 'map' ? WireType.LengthDelimited : wireTypeOf(field);
  // Numbers in a list may come packed or one by one, whatever the schema prefers.
  return wireType === own || (field.fieldKind === 'list' && wireType === WireType.LengthDelimited);
}

export function wireTypeOf(field: DescField): WireType {
  return field.message ? WireType.LengthDelimited : formOf(field).wireType;
}

/** Of a field that holds no messages. */
export function formOf(field: DescField): ScalarForm {
  return field.enum || field.scalar === undefined ? ENUM : scalarForm(field.scalar);
}

const byNumbers = new WeakMap<DescMessage, ReadonlyMap<number, DescField>>();

function fieldsOf(schema: DescMessage): ReadonlyMap<number, DescField> {
  const known = byNumbers.get(schema) ?? new Map(schema.fields.map((field) => [field.number, field]));
  byNumbers.set(schema, known);
  return known;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function wholeText(bytes: Uint8Array): string {
  const decoded = text(bytes);
  if (decoded === undefined) throw new Error('not UTF-8');
  return decoded;
}
