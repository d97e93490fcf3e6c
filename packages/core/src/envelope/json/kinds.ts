/**
 * How each kind of field looks in JSON (docs/spec/macp.md 7.1). Reading is strict about types and lenient about
 * absence: a field that is missing has protobuf's default, `null` is a wrong type like any other. Writing emits every
 * field.
 */
import { isFields } from '../../fields.js';
import type { Json } from '../../log/json.js';
import { isWellFormed } from '../../text.js';
import type { Codec } from '../codec.js';
import { type JsonReading, own } from './json-reading.js';
import { formatTimestamp, parseTimestamp } from './rfc3339.js';

export interface Kind<V> {
  /** `value` is undefined when the field is missing. Flaws go to the reading, under `path`. */
  read(value: unknown, path: string, reading: JsonReading): V;
  /** Undefined: the field is left out. */
  write(value: V, codec: Codec): Json | undefined;
}

const EMPTY = new Uint8Array(0);
const MAX_UINT32 = 2 ** 32 - 1;
const INTEGER = /^-?(?:0|[1-9][0-9]{0,18})$/;
/** Values for which JSON has no number, as protobuf's JSON writes them. */
const NOT_FINITE: ReadonlyMap<unknown, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

export const string: Kind<string> = {
  read(value = '', path, reading) {
    if (typeof value !== 'string') return reading.fail(path, 'must be a string', '');
    return isWellFormed(value) ? value : reading.fail(path, 'has half of a surrogate pair', '');
  },
  write: (value) => value,
};

/** No session needs more than 2^53 - 1, and a number cannot hold more exactly. */
export const int64: Kind<number> = {
  read(value = 0, path, reading) {
    const number = typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;
    // Adding zero turns minus zero into zero.
    if (typeof number === 'number' && Number.isSafeInteger(number)) return number + 0;
    return reading.fail(path, 'must be an integer, as a number or in decimal digits', 0);
  },
  write: (value) => value,
};

export const uint32: Kind<number> = {
  read(value = 0, path, reading) {
    const number = int64.read(value, path, reading);
    return number >= 0 && number <= MAX_UINT32 ? number : reading.fail(path, 'is out of range', 0);
  },
  write: (value) => value,
};

export const double: Kind<number> = {
  read(value = 0, path, reading) {
    if (typeof value === 'number') return value;
    return NOT_FINITE.get(value) ?? reading.fail(path, 'must be a number', 0);
  },
  write: (value) => (Number.isFinite(value) ? value : String(value)),
};

export const bool: Kind<boolean> = {
  read(value = false, path, reading) {
    return typeof value === 'boolean' ? value : reading.fail(path, 'must be true or false', false);
  },
  write: (value) => value,
};

/** A value that must be present, because its absence would be taken for a decision. */
export const saidBool: Kind<boolean> = {
  read(value, path, reading) {
    return typeof value === 'boolean' ? value : reading.fail(path, 'must be given as true or false', false);
  },
  write: (value) => value,
};

export const bytes: Kind<Uint8Array> = {
  read(value = '', path, reading) {
    const decoded = typeof value === 'string' ? reading.codec.fromBase64(value) : undefined;
    return decoded ?? reading.fail(path, 'must be base64', EMPTY);
  },
  write: (value, codec) => codec.toBase64(value),
};

export const timestamp: Kind<number> = {
  read(value, path, reading) {
    if (value === undefined) return 0;
    const ms = typeof value === 'string' ? parseTimestamp(value) : undefined;
    return ms ?? reading.fail(path, 'must be an RFC 3339 time between 1970 and the end of year 9999', 0);
  },
  write: (value) => formatTimestamp(value),
};

export function list<V>(item: Kind<V>): Kind<readonly V[]> {
  return {
    read(value = [], path, reading) {
      if (!Array.isArray(value)) return reading.fail(path, 'must be a list', []);
      // A hole cannot come out of JSON.parse; null stands for it, so that it is refused and not defaulted.
      return Array.from(value, (element: unknown, index) =>
        item.read(element === undefined ? null : element, `${path}[${index}]`, reading),
      );
    },
    write: (values, codec) => values.map((value) => item.write(value, codec) ?? null),
  };
}

/** map<string, bytes>, without a prototype on either side. */
export const bytesMap: Kind<Readonly<Record<string, Uint8Array>>> = {
  read(value, path, reading) {
    const record: Record<string, Uint8Array> = Object.create(null);
    if (value === undefined) return record;
    if (!isFields(value)) return reading.fail(path, 'must be an object', record);
    for (const key of Object.keys(value)) {
      if (!isWellFormed(key)) return reading.fail(path, 'has a key with half of a surrogate pair', record);
      // The key is the caller's text and stays out of the message.
      record[key] = bytes.read(own(value, key), `a value of ${path}`, reading);
    }
    return record;
  },
  write(record, codec) {
    const json: Record<string, Json> = Object.create(null);
    for (const key of Object.keys(record)) json[key] = codec.toBase64(record[key] ?? EMPTY);
    return json;
  },
};
