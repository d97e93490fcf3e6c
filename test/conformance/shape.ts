/**
 * A few combinators that check a parsed JSON value. They exist so that a mistyped key in a fixture is an error that
 * names its place, instead of an expectation that is silently never checked.
 */
export class ShapeError extends Error {}

export type Check = (value: unknown, path: string) => void;

function fail(path: string, message: string): never {
  throw new ShapeError(`${path}: ${message}`);
}

export const string: Check = (value, path) => {
  if (typeof value !== 'string') fail(path, 'must be a string');
};

export const boolean: Check = (value, path) => {
  if (typeof value !== 'boolean') fail(path, 'must be true or false');
};

export const integer: Check = (value, path) => {
  if (!Number.isSafeInteger(value)) fail(path, 'must be an integer');
};

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const jsonObject: Check = (value, path) => {
  if (!isObject(value)) fail(path, 'must be an object');
};

export function oneOf(...allowed: readonly (string | null)[]): Check {
  return (value, path) => {
    if (!allowed.includes(value as string | null)) fail(path, `must be one of ${allowed.join(', ')}`);
  };
}

export function nullable(check: Check): Check {
  return (value, path) => {
    if (value !== null) check(value, path);
  };
}

export function arrayOf(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) fail(path, 'must be an array');
    value.forEach((item, index) => {
      check(item, `${path}[${index}]`);
    });
  };
}

export function mapOf(check: Check): Check {
  return (value, path) => {
    if (!isObject(value)) fail(path, 'must be an object');
    for (const [key, item] of Object.entries(value)) check(item, `${path}.${key}`);
  };
}

export function either(first: Check, second: Check): Check {
  return (value, path) => {
    try {
      first(value, path);
    } catch {
      second(value, path);
    }
  };
}

/** An object with exactly these keys; those in `optional` may be missing. Keys starting with `_` are comments. */
export function object(required: Record<string, Check>, optional: Record<string, Check> = {}): Check {
  return (value, path) => {
    if (!isObject(value)) fail(path, 'must be an object');
    for (const key of Object.keys(required)) {
      if (!(key in value)) fail(`${path}.${key}`, 'is missing');
    }
    for (const [key, item] of Object.entries(value)) {
      if (key.startsWith('_')) continue;
      const check = required[key] ?? optional[key] ?? fail(`${path}.${key}`, 'is not a known key');
      check(item, `${path}.${key}`);
    }
  };
}
