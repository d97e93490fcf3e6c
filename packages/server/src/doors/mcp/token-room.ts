/** How much of a result a caller is given room for: an estimate of tokens, a quarter of the bytes of its text. */

/** What a result in this many tokens may take. */
export const bytesOfTokens = (tokens: number): number => tokens * 4;

export const tokensOfBytes = (bytes: number): number => Math.ceil(bytes / 4);

/** Of a value as it stands in a result. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** How many code points a text has. */
export function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    if (isPair(text, i)) i++;
    count++;
  }
  return count;
}

export interface Part {
  readonly text: string;
  /** In code points. */
  readonly length: number;
  readonly isWhole: boolean;
}

/**
 * What of a text fits into so many bytes of JSON, from a code point on: up to a line break if there is one in the last
 * tenth, so that a line is rarely cut. Undefined: the text is shorter than `offset`.
 */
export function partOf(text: string, offset: number, room: number): Part | undefined {
  let at = 0;
  for (let passed = 0; passed < offset; passed++) {
    if (at >= text.length) return undefined;
    at += isPair(text, at) ? 2 : 1;
  }
  let [end, bytes, length] = [at, 0, 0];
  let atBreak: { readonly end: number; readonly length: number; readonly bytes: number } | undefined;
  while (end < text.length) {
    const step = isPair(text, end) ? 2 : 1;
    const cost = costOf(text, end, step);
    if (bytes + cost > room) break;
    bytes += cost;
    end += step;
    length++;
    if (text.charCodeAt(end - 1) === LINE_BREAK) atBreak = { end, length, bytes };
  }
  if (end === text.length) return { text: text.slice(at), length, isWhole: true };
  if (atBreak && atBreak.bytes >= bytes * 0.9) ({ end, length } = atBreak);
  return { text: text.slice(at, end), length, isWhole: false };
}

const LINE_BREAK = 10;

/** It is asked for each character of a megabyte. */
function isPair(text: string, i: number): boolean {
  const high = text.charCodeAt(i);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(i + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

/** The bytes of one code point as JSON.stringify writes it. */
function costOf(text: string, i: number, step: number): number {
  if (step === 2) return 4;
  const code = text.charCodeAt(i);
  if (code === 0x22 || code === 0x5c) return 2;
  if (code < 0x20) return SHORT_ESCAPES.has(code) ? 2 : 6;
  if (code >= 0xd800 && code <= 0xdfff) return 6;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
}

/** Backspace, tab, line feed, form feed, carriage return. */
const SHORT_ESCAPES = new Set([8, 9, 10, 12, 13]);

/** The first of these that fit into so many bytes of a list. */
export function fitting<T>(items: readonly T[], room: number): readonly T[] {
  let left = room;
  const end = items.findIndex((item) => {
    left -= jsonBytes(item) + 1;
    return left < 0;
  });
  return end < 0 ? items : items.slice(0, end);
}
