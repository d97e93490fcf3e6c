/** Numbers of proto3 JSON: bare or quoted, whole ones exactly, however they are written. */
import { JsonNumber, type JsonValue } from './json-value.js';

const NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
/** No integer of protobuf has more digits; a text that says more is not worked out. */
const MAX_DIGITS = 400;
const NOT_FINITE: ReadonlyMap<JsonValue, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

/** The whole number that is meant, never rounded; undefined: there is none. */
export function integerOf(value: JsonValue): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = partsOf(value) ?? [];
  if (whole === '') return undefined;
  // Zeros that say nothing, so that what is left has as many digits as the number.
  const digits = `${whole}${fraction}`.replace(/^0+/, '').replace(/0+$/, '');
  if (digits === '') return 0n;
  const dropped = `${whole}${fraction}`.length - `${whole}${fraction}`.replace(/0+$/, '').length;
  const shift = Number(exponent) - fraction.length + dropped;
  if (shift < 0 || digits.length + shift > MAX_DIGITS) return undefined;
  const size = BigInt(digits + '0'.repeat(shift));
  return sign === '-' ? -size : size;
}

/** Undefined: it is no number, or one beyond what a double holds. */
export function numberOf(value: JsonValue): number | undefined {
  const named = NOT_FINITE.get(value);
  if (named !== undefined) return named;
  const [text] = partsOf(value) ?? [];
  const number = text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

function partsOf(value: JsonValue): RegExpExecArray | null {
  const text = value instanceof JsonNumber ? value.text : value;
  return typeof text === 'string' ? NUMBER.exec(text) : null;
}
