/** Numbers of proto3 JSON: bare or quoted, whole ones exactly, however they are written. */
import { JsonNumber, type JsonValue } from './json-value.js';

const NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
/** No number of protobuf needs more characters or has more digits; a text that says more is not worked out. */
const MAX_TEXT = 400;
const MAX_DIGITS = MAX_TEXT;
const NOT_FINITE: ReadonlyMap<JsonValue, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

/** The whole number that is meant, never rounded; undefined: there is none. */
export function integerOf(value: JsonValue): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = partsOf(value) ?? [];
  if (whole === '') return undefined;
  const all = `${whole}${fraction}`;
  // Zeros that say nothing are left out at both ends. Counted in a loop: /0+$/ begins anew at each zero of the text.
  let first = 0;
  while (all[first] === '0') first++;
  if (first === all.length) return 0n;
  let end = all.length;
  while (all[end - 1] === '0') end--;
  const shift = Number(exponent) - fraction.length + (all.length - end);
  if (shift < 0 || end - first + shift > MAX_DIGITS) return undefined;
  const size = BigInt(all.slice(first, end) + '0'.repeat(shift));
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
  return typeof text === 'string' && text.length <= MAX_TEXT ? NUMBER.exec(text) : null;
}
