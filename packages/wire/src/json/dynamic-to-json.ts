/**
 * A message as proto3 JSON: every field under its name in the proto file, fields without presence with their default,
 * the others only when they are set. The special places are those of special-places.ts.
 */
import type { DescField } from '@bufbuild/protobuf';
import { formOf } from './decode-dynamic.js';
import type { Dynamic, FieldValue, MapField, Scalar, Single } from './dynamic.js';
import { type JsonMembers, JsonNumber, type JsonValue } from './json-value.js';
import { hasPresence } from './presence.js';

/** How the members of a message are written where the schema alone does not say it. */
export type SpecialWriter = (message: Dynamic, members: Map<string, JsonValue>) => void;
export type SpecialWriters = ReadonlyMap<string, SpecialWriter>;

export function dynamicToJson(message: Dynamic, special: SpecialWriters): JsonMembers {
  const members = new Map<string, JsonValue>();
  for (const field of message.schema.fields) {
    const value = message.fields.get(field);
    if (value !== undefined) members.set(field.name, valueToJson(field, value, special));
    else if (!hasPresence(field)) members.set(field.name, absentToJson(field));
  }
  special.get(message.schema.typeName)?.(message, members);
  return members;
}

function valueToJson(field: DescField, value: FieldValue, special: SpecialWriters): JsonValue {
  if (field.fieldKind === 'list')
    return (value as readonly Single[]).map((item) => singleToJson(field, item, special));
  if (field.fieldKind !== 'map') return singleToJson(field, value as Single, special);
  return mapToJson(field, value as ReadonlyMap<Scalar, Single>, special);
}

function mapToJson(
  field: MapField,
  entries: ReadonlyMap<Scalar, Single>,
  special: SpecialWriters,
): JsonMembers {
  return new Map([...entries].map(([key, value]) => [String(key), singleToJson(field, value, special)]));
}

function singleToJson(field: DescField, value: Single, special: SpecialWriters): JsonValue {
  if (field.message) return dynamicToJson(value as Dynamic, special);
  if (!field.enum) return formOf(field).toJson(value as Scalar);
  // A number that this version has no name for is all that can be said.
  return field.enum.value[value as number]?.name ?? new JsonNumber(String(value));
}

function absentToJson(field: DescField): JsonValue {
  if (field.fieldKind === 'list') return [];
  if (field.fieldKind === 'map') return new Map();
  return field.enum
    ? (field.enum.value[0]?.name ?? new JsonNumber('0'))
    : formOf(field).toJson(formOf(field).zero);
}
