import { isFields } from '../fields.js';
import type { Json, JsonObject } from '../log/json.js';

export interface Difference {
  /** Such as `policy.rules.audit` or `participants[2]`; empty when the values differ as a whole. */
  readonly path: string;
  readonly expected: Json | undefined;
  readonly found: Json | undefined;
}

/** The first place, in canonical order, at which two JSON values differ. */
export function firstDifference(
  expected: Json | undefined,
  found: Json | undefined,
  path = '',
): Difference | undefined {
  if (isList(expected) && isList(found)) return differenceInLists(expected, found, path);
  if (isFields(expected) && isFields(found)) return differenceInObjects(expected, found, path);
  // Object.is would tell 0 from -0, which are one value in JSON.
  return expected === found ? undefined : { path, expected, found };
}

function differenceInLists(
  expected: readonly Json[],
  found: readonly Json[],
  path: string,
): Difference | undefined {
  for (let i = 0; i < Math.max(expected.length, found.length); i++) {
    const difference = firstDifference(expected[i], found[i], `${path}[${i}]`);
    if (difference) return difference;
  }
  return undefined;
}

function differenceInObjects(expected: JsonObject, found: JsonObject, path: string): Difference | undefined {
  for (const key of [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort()) {
    const at = path === '' ? key : `${path}.${key}`;
    const difference = firstDifference(member(expected, key), member(found, key), at);
    if (difference) return difference;
  }
  return undefined;
}

const member = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

// Array.isArray does not narrow readonly arrays.
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

const SHOWN = 80;

/** A value for a message: short ones whole, long ones by their kind. */
export function shown(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  if (text.length <= SHOWN) return text;
  return Array.isArray(value) ? 'a list' : typeof value === 'string' ? 'a long text' : 'an object';
}
