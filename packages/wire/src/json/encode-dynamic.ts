/**
 * The deterministic bytes of a message: fields by ascending number, defaults left out unless the field has presence,
 * numbers of a list packed, entries of a map by the bytes of their keys with key and value always written, one NaN.
 */
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { utf8 } from '../proto/utf8.js';
import { formOf, wireTypeOf } from './decode-dynamic.js';
import type { Dynamic, MapField, Scalar, Single } from './dynamic.js';
import { hasPresence } from './presence.js';
import { scalarForm } from './scalars.js';

export function encodeDynamic({ schema, fields }: Dynamic): Uint8Array {
  const writer = new BinaryWriter(utf8);
  for (const field of sorted(schema)) {
    const value = fields.get(field);
    if (value === undefined) continue;
    if (field.fieldKind === 'map') writeMap(writer, field, value as ReadonlyMap<Scalar, Single>);
    else if (field.fieldKind === 'list') writeList(writer, field, value as readonly Single[]);
    else writeSingle(writer, field, value as Single);
  }
  return writer.finish();
}

function writeSingle(writer: BinaryWriter, field: DescField, value: Single): void {
  if (!hasPresence(field) && formOf(field).isZero(value as Scalar)) return;
  writer.tag(field.number, wireTypeOf(field));
  writeValue(writer, field, value);
}

function writeList(writer: BinaryWriter, field: DescField, items: readonly Single[]): void {
  if (items.length === 0) return;
  if (wireTypeOf(field) === WireType.LengthDelimited) {
    for (const item of items) {
      writer.tag(field.number, WireType.LengthDelimited);
      writeValue(writer, field, item);
    }
    return;
  }
  const packed = new BinaryWriter(utf8);
  for (const item of items) writeValue(packed, field, item);
  writer.tag(field.number, WireType.LengthDelimited).bytes(packed.finish());
}

function writeMap(writer: BinaryWriter, field: MapField, entries: ReadonlyMap<Scalar, Single>): void {
  const keys = scalarForm(field.mapKey);
  const written = [...entries].map(([key, value]) => {
    const bytes = new BinaryWriter(utf8);
    keys.write(bytes, key);
    return { key: bytes.finish(), value };
  });
  for (const { key, value } of written.sort((a, b) =>
    byContent(content(field, a.key), content(field, b.key)),
  )) {
    const entry = new BinaryWriter(utf8).tag(1, keys.wireType).raw(key).tag(2, wireTypeOf(field));
    writeValue(entry, field, value);
    writer.tag(field.number, WireType.LengthDelimited).bytes(entry.finish());
  }
}

function writeValue(writer: BinaryWriter, field: DescField, value: Single): void {
  if (field.message) writer.bytes(encodeDynamic(value as Dynamic));
  else formOf(field).write(writer, value as Scalar);
}

const inOrder = new WeakMap<DescMessage, readonly DescField[]>();

function sorted(schema: DescMessage): readonly DescField[] {
  const known = inOrder.get(schema) ?? [...schema.fields].sort((a, b) => a.number - b.number);
  inOrder.set(schema, known);
  return known;
}

/** The bytes of a text without its length. */
function content(field: MapField, key: Uint8Array): Uint8Array {
  if (scalarForm(field.mapKey).wireType !== WireType.LengthDelimited) return key;
  return key.subarray(key.findIndex((byte) => byte < 0x80) + 1);
}

function byContent(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
