import { isFields, type Fields as JsonFields } from '../../fields.js';
import type { Json, JsonObject } from '../../log/json.js';
import type { Codec } from '../codec.js';
import { type JsonReading, own } from './json-reading.js';
import type { Kind } from './kinds.js';
import { meantField } from './misspelt.js';

export type Fields<T> = { readonly [F in keyof T]-?: Kind<T[F]> };

/**
 * A message: its fields under their names in the protocol. Others are ignored, but for the camelCase name of a field, which
 * other proto3 JSON writes, and one that is meant for a field that is not there: what it says binds somebody.
 */
export interface ObjectKind<T> extends Kind<T> {
  /** Names as they stand in JSON. */
  readonly names: readonly string[];
  write(value: T, codec: Codec): JsonObject;
}

/** Names are the properties in snake_case; `renamed` holds the exceptions, `mistaken` other words for a name. */
export function object<T extends object>(
  fields: Fields<T>,
  renamed: Partial<Record<keyof T, string>> = {},
  mistaken: ReadonlyMap<string, string> = new Map(),
): ObjectKind<T> {
  const table = (Object.keys(fields) as (keyof T & string)[]).map((property) => ({
    property,
    name: renamed[property] ?? snakeCase(property),
    kind: fields[property] as Kind<unknown>,
  }));
  const names = table.map(({ name }) => name);
  return {
    names,
    read(value, path, reading: JsonReading) {
      const record = isFields(value) ? value : reading.fail(path, 'must be an object', {});
      const prefix = path === '' ? '' : `${path}.`;
      refuseMisspelt(record, prefix, { names, mistaken }, reading);
      const message: Record<string, unknown> = {};
      for (const { property, name, kind } of table) {
        if (property !== name && own(record, property) !== undefined)
          reading.fail(prefix + property, `must be called ${name}`, undefined);
        const field = kind.read(own(record, name), prefix + name, reading);
        if (field !== undefined) message[property] = field;
      }
      return message as T;
    },
    write(message, codec) {
      const json: Record<string, Json> = {};
      for (const { property, name, kind } of table) {
        const field = kind.write(message[property], codec);
        if (field !== undefined) json[name] = field;
      }
      return json;
    },
  };
}

interface Names {
  readonly names: readonly string[];
  readonly mistaken: ReadonlyMap<string, string>;
}

function refuseMisspelt(
  record: JsonFields,
  prefix: string,
  { names, mistaken }: Names,
  reading: JsonReading,
): void {
  const isThere = (name: string) => (own(record, name) ?? null) !== null;
  for (const name of Object.keys(record)) {
    const meant = mistaken.get(name) ?? meantField(name, names);
    if (meant !== undefined && isThere(name) && !isThere(meant))
      reading.fail(prefix + name, `must be called ${meant}`, undefined);
  }
}

/** A message that may be absent. */
export function optional<T>(kind: ObjectKind<T>): Kind<T | undefined> {
  return {
    read: (value, path, reading) => (value === undefined ? undefined : kind.read(value, path, reading)),
    write: (value, codec) => (value === undefined ? undefined : kind.write(value, codec)),
  };
}

function snakeCase(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
