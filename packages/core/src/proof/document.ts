/**
 * Reading documents that came from elsewhere. Readers are strict: a value of another type, a missing and an unknown key
 * are flaws, named by their path.
 */
import { isFields } from '../fields.js';
import type { Json, JsonObject } from '../log/json.js';
import type { Flaw } from './flaw.js';

/** Thrown inside a reading, caught by `reading`; it never leaves this folder. */
class Unreadable extends Error {
  readonly flaw: Flaw;

  constructor(path: string, what: string) {
    super(what);
    this.flaw = { path, what };
  }
}

export function unreadable(path: string, what: string): Unreadable {
  return new Unreadable(path, what);
}

export function reading<T>(read: () => T): { readonly value: T } | { readonly flaw: Flaw } {
  try {
    return { value: read() };
  } catch (thrown) {
    if (thrown instanceof Unreadable) return { flaw: thrown.flaw };
    throw thrown;
  }
}

export type Reader<T> = (value: Json | undefined, path: string) => T;

export const text: Reader<string> = (value, path) => {
  if (typeof value === 'string') return value;
  throw unreadable(path, 'must be text');
};

export const whole: Reader<number> = (value, path) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0))
    return value;
  throw unreadable(path, 'must be a whole number, 0 or more');
};

export const flag: Reader<boolean> = (value, path) => {
  if (typeof value === 'boolean') return value;
  throw unreadable(path, 'must be true or false');
};

export function matching(pattern: RegExp, what: string): Reader<string> {
  return (value, path) => {
    if (typeof value === 'string' && pattern.test(value)) return value;
    throw unreadable(path, `must be ${what}`);
  };
}

export const hexHash = matching(/^[0-9a-f]{64}$/, '64 lowercase hex digits');

export function oneOf<T extends string>(...words: readonly T[]): Reader<T> {
  return (value, path) => {
    const word = words.find((known) => known === value);
    if (word !== undefined) return word;
    throw unreadable(path, `must be ${words.map((known) => `"${known}"`).join(' or ')}`);
  };
}

export const anyObject: Reader<JsonObject> = (value, path) => {
  if (isFields(value)) return value as JsonObject;
  throw unreadable(path, 'must be an object');
};

export const anyList: Reader<readonly Json[]> = (value, path) => {
  if (Array.isArray(value)) return value;
  throw unreadable(path, 'must be a list');
};

/** An object with these keys and no others. */
export function shape<R extends Record<string, Reader<unknown>>, O extends Record<string, Reader<unknown>>>(
  required: R,
  optional: O,
): Reader<Shape<R, O>> {
  return (value, path) => {
    const object = anyObject(value, path);
    const read: Record<string, unknown> = {};
    for (const key of Object.keys(object)) {
      const reader = Object.hasOwn(required, key) ? required[key] : own(optional, key);
      if (!reader) throw unreadable(join(path, key), 'is unknown');
      read[key] = reader(object[key], join(path, key));
    }
    for (const key of Object.keys(required))
      if (!Object.hasOwn(read, key)) throw unreadable(join(path, key), 'is missing');
    return read as Shape<R, O>;
  };
}

type Shape<R, O> = { readonly [K in keyof R]: R[K] extends Reader<infer T> ? T : never } & {
  readonly [K in keyof O]?: O[K] extends Reader<infer T> ? T : never;
};

const own = <T>(record: Record<string, T>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
