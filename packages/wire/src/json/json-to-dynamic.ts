/**
 * proto3 JSON as a message: members under their names in the proto file alone, unknown ones ignored, null as absence but
 * not within a list or a map. The special places are those of special-places.ts. The camelCase name of a field, which other
 * proto3 JSON writes, is not ignored, and neither is a name that is meant for a field that is not there: what it says binds
 * somebody.
 */
import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf';
import { meantField } from '@handover/core';
import { formOf } from './decode-dynamic.js';
import type { Dynamic, FieldValue, ListField, MapField, Scalar, Single, SingleField } from './dynamic.js';
import { isList, isMembers, type JsonMembers, JsonNumber, type JsonValue } from './json-value.js';
import { ENUM, scalarForm } from './scalars.js';

/** Why the JSON is not the message: the path of the member, and what it must be. */
export class JsonMisfit extends Error {
  constructor(path: string, what: string) {
    super(`${path === '' ? 'it' : path} ${what}`);
  }
}

/** Reads some members of a message in a way of their own; the fields that it names are not read otherwise. */
export interface SpecialReader {
  readonly instead: ReadonlySet<string>;
  /** Names that somebody may write for those in the special place. */
  readonly mistaken?: ReadonlyMap<string, string>;
  /** Other words for a field, where that one is not there. */
  readonly otherWords?: ReadonlyMap<string, string>;
  read(schema: DescMessage, members: JsonMembers, path: string, fields: Map<DescField, FieldValue>): void;
}
export type SpecialReaders = ReadonlyMap<string, SpecialReader>;

export function jsonToDynamic(
  schema: DescMessage,
  value: JsonValue,
  special: SpecialReaders,
  path = '',
): Dynamic {
  if (!isMembers(value)) throw new JsonMisfit(path, 'must be an object');
  const fields = new Map<DescField, FieldValue>();
  const own = special.get(schema.typeName);
  refuseOtherNames(schema, value, own, path);
  for (const field of schema.fields) {
    const member = value.get(field.name) ?? null;
    if (member === null || own?.instead.has(field.name)) continue;
    const read = readField(field, member, within(path, field.name), special);
    if (read === undefined) continue;
    const rival = field.oneof?.fields.find((other) => fields.has(other));
    if (rival) throw new JsonMisfit(within(path, field.name), `and ${rival.name} exclude each other`);
    fields.set(field, read);
  }
  own?.read(schema, value, path, fields);
  return { schema, fields };
}

function refuseOtherNames(
  schema: DescMessage,
  members: JsonMembers,
  own: SpecialReader | undefined,
  path: string,
): void {
  const twins = twinsOf(schema);
  for (const [name, member] of members) {
    if (member === null) continue;
    const right = own?.mistaken?.get(name) ?? twins.get(name) ?? misspelt(schema, members, own, name);
    if (right !== undefined) throw new JsonMisfit(within(path, name), `must be called ${right}`);
  }
}

function misspelt(
  schema: DescMessage,
  members: JsonMembers,
  own: SpecialReader | undefined,
  name: string,
): string | undefined {
  const meant = own?.otherWords?.get(name) ?? meantField(name, namesOf(schema));
  return meant === undefined || (members.get(meant) ?? null) !== null ? undefined : meant;
}

const nameLists = new WeakMap<DescMessage, readonly string[]>();

function namesOf(schema: DescMessage): readonly string[] {
  const known = nameLists.get(schema);
  if (known) return known;
  const made = schema.fields.map(({ name }) => name);
  nameLists.set(schema, made);
  return made;
}

/** The fields of each message whose camelCase name is another one. */
const twinTables = new WeakMap<DescMessage, ReadonlyMap<string, string>>();

function twinsOf(schema: DescMessage): ReadonlyMap<string, string> {
  const known = twinTables.get(schema);
  if (known) return known;
  const differing = schema.fields.filter(({ name, jsonName }) => name !== jsonName);
  const made = new Map(differing.map(({ name, jsonName }) => [jsonName, name]));
  twinTables.set(schema, made);
  return made;
}

export const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Undefined: nothing is set. */
function readField(
  field: DescField,
  value: JsonValue,
  path: string,
  special: SpecialReaders,
): FieldValue | undefined {
  if (field.fieldKind === 'list') return readList(field, value, path, special);
  if (field.fieldKind === 'map') return readMap(field, value, path, special);
  return readSingle(field, value, path, special);
}

function readSingle(
  field: SingleField | ListField | MapField,
  value: JsonValue,
  path: string,
  special: SpecialReaders,
): Single | undefined {
  if (value === null) throw new JsonMisfit(path, 'must not be null');
  if (field.message) return jsonToDynamic(field.message, value, special, path);
  if (field.enum) return readEnum(field.enum, value, path);
  const form = formOf(field);
  const read = form.fromJson(value);
  if (read === undefined) throw new JsonMisfit(path, form.what);
  return read;
}

/** Undefined for a name that is not known: it may be one of a later version. */
function readEnum({ values }: DescEnum, value: JsonValue, path: string): Scalar | undefined {
  if (typeof value === 'string') return values.find(({ name }) => name === value)?.number;
  const number = value instanceof JsonNumber ? ENUM.fromJson(value) : undefined;
  if (number === undefined) throw new JsonMisfit(path, 'must be the name or the number of an enum value');
  return number;
}

function readList(
  field: ListField,
  value: JsonValue,
  path: string,
  special: SpecialReaders,
): readonly Single[] {
  if (!isList(value)) throw new JsonMisfit(path, 'must be a list');
  return value
    .map((item, index) => readSingle(field, item, `${path}[${index}]`, special))
    .filter((item) => item !== undefined);
}

/** The key is the caller's text and stays out of the message. */
function readMap(
  field: MapField,
  value: JsonValue,
  path: string,
  special: SpecialReaders,
): ReadonlyMap<Scalar, Single> {
  if (!isMembers(value)) throw new JsonMisfit(path, 'must be an object');
  const entries = new Map<Scalar, Single>();
  for (const [name, member] of value) {
    const read = readSingle(field, member, `a value of ${path}`, special);
    if (read !== undefined) entries.set(readKey(field, name, path), read);
  }
  return entries;
}

function readKey({ mapKey }: MapField, name: string, path: string): Scalar {
  const form = scalarForm(mapKey);
  const key = typeof form.zero === 'boolean' ? KEYS.get(name) : form.fromJson(name);
  if (key === undefined) throw new JsonMisfit(`a key of ${path}`, form.what);
  return key;
}

const KEYS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);
