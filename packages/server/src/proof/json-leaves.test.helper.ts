/** Every place in a JSON document, and ways to change what stands there. */
import { isFields, type Json } from '@handover/core';

export type Path = readonly (string | number)[];

export function leavesOf(value: Json, path: Path = []): Path[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item: Json, i) => leavesOf(item, [...path, i]));
  if (isFields(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
  return [path];
}

export function at(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>(
    (inner, key) => (inner as Record<string | number, Json> | undefined)?.[key],
    value,
  );
}

/** A copy with another value in one place; undefined takes the place away. */
export function changed(value: Json, path: Path, put: Json | undefined): Json {
  const copy = structuredClone(value) as Json;
  const parent = at(copy, path.slice(0, -1)) as Record<string | number, Json>;
  const key = path.at(-1) ?? '';
  if (put !== undefined) parent[key] = put;
  else if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
  return copy;
}

/** Values that look like the old one and are not. */
export function otherValues(value: Json | undefined): (Json | undefined)[] {
  if (typeof value === 'number') return [value + 1, value === 0 ? 7 : 0, String(value), null];
  if (typeof value === 'boolean') return [!value, String(value)];
  if (typeof value === 'string')
    return [`${value}x`, value.slice(0, -1), flipped(value), 0, null].filter((v) => v !== value);
  return [1, 'x', { x: 1 }, ['x']];
}

/** One bit of one character. */
function flipped(text: string): string {
  const middle = text.length >> 1;
  return text.slice(0, middle) + String.fromCharCode(text.charCodeAt(middle) ^ 1) + text.slice(middle + 1);
}

export const nameOf = (path: Path): string =>
  path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${key}`)).join('');
