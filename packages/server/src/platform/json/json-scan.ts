/**
 * Looks at JSON before it is parsed: how deep it nests and how many values it holds. Parsing costs by the value, not by
 * the byte, so a limit in bytes alone says little: a megabyte of brackets takes thirty times as long as a text of that
 * size.
 *
 * J1. Every value counts one: a text, a number, a list, an object, and the name of a member, too.
 * J2. Of valid JSON both numbers are exact. Of anything else they are at least what a parser meets before it gives up.
 * J3. It takes the bytes in any pieces, as they arrive, and stops at the first limit that is passed.
 * J4. Of valid JSON it says how many names there are, and whether a number might become another one when it is parsed
 *     (parse-exactly.ts looks at that closely).
 */
export interface JsonLimits {
  readonly depth: number;
  readonly values: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const LETTER_E = 0x65;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Every whole number of so many digits is exact. */
const EXACT_DIGITS = 15;
const LOWER_CASE = 0x20;

export class JsonScan {
  readonly #limits: JsonLimits;
  #depth = 0;
  #values = 1;
  #names = 0;
  #negative = false;
  #doubtful = false;
  #excess: keyof JsonLimits | undefined;
  /** A list or an object was opened, and nothing of it has come yet. */
  #fresh = false;
  #inText = false;
  #escaped = false;
  /** Where the next backslash of the piece is. */
  #slash = -1;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  get values(): number {
    return this.#values;
  }

  get names(): number {
    return this.#names;
  }

  /** A number has many digits or an exponent, begins with -0, or was not seen whole. */
  get hasDoubtfulNumber(): boolean {
    return this.#doubtful;
  }

  /** The limit that was passed first. */
  get excess(): keyof JsonLimits | undefined {
    return this.#excess;
  }

  /** False once a limit is passed: what comes after it is not looked at. */
  push(bytes: Uint8Array): boolean {
    this.#slash = -1;
    for (let at = 0; at < bytes.length && !this.#excess; ) {
      if (this.#inText) at = this.#skipText(bytes, at);
      else if (isDigit(bytes[at] ?? 0)) at = this.#skipDigits(bytes, at);
      else this.#take(bytes[at++] ?? 0);
    }
    return this.#excess === undefined;
  }

  #take(sign: number): void {
    if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) {
      this.#depth -= 1;
      this.#fresh = false;
      return;
    }
    // Space between values.
    if (sign <= 0x20) return;
    if (this.#fresh || sign === COMMA || sign === COLON) this.#another();
    this.#fresh = false;
    if (sign === QUOTE) this.#inText = true;
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) this.#open();
    else if (sign === COLON) this.#names += 1;
    else if (sign === MINUS) this.#negative = true;
  }

  /** Where the digits end, or the piece does. */
  #skipDigits(bytes: Uint8Array, from: number): number {
    if (this.#fresh) this.#another();
    this.#fresh = false;
    let at = from + 1;
    while (at < bytes.length && isDigit(bytes[at] ?? 0)) at += 1;
    // What a piece ends with may go on in the next one: it is looked at closely, then.
    const isCut = at === bytes.length;
    const isMinusZero = this.#negative && bytes[from] === ZERO;
    const hasExponent = ((bytes[at] ?? 0) | LOWER_CASE) === LETTER_E;
    if (isCut || isMinusZero || hasExponent || at - from > EXACT_DIGITS) this.#doubtful = true;
    this.#negative = false;
    return at;
  }

  #another(): void {
    this.#values += 1;
    if (this.#values > this.#limits.values) this.#excess ??= 'values';
  }

  #open(): void {
    this.#fresh = true;
    this.#depth += 1;
    if (this.#depth > this.#limits.depth) this.#excess ??= 'depth';
  }

  /** Where the text ends, or the piece does. */
  #skipText(bytes: Uint8Array, from: number): number {
    let at = this.#escaped ? from + 1 : from;
    this.#escaped = false;
    for (let end = -1; at < bytes.length; ) {
      if (end < at) end = nearest(bytes, QUOTE, at);
      const slash = this.#slashFrom(bytes, at);
      if (end < slash) {
        this.#inText = false;
        return end + 1;
      }
      if (slash === bytes.length) break;
      at = slash + 2;
    }
    // What a piece ends with hides the first sign of the next one.
    this.#escaped = at > bytes.length;
    return bytes.length;
  }

  /** Looked up once for many short texts: otherwise each of them would search the whole piece. */
  #slashFrom(bytes: Uint8Array, from: number): number {
    if (this.#slash < from) this.#slash = nearest(bytes, BACKSLASH, from);
    return this.#slash;
  }
}

/** Native search beats a loop from about so many bytes on. */
const NEAR = 24;

/** Where the sign is, or else the length. */
function nearest(bytes: Uint8Array, sign: number, from: number): number {
  const near = Math.min(from + NEAR, bytes.length);
  for (let at = from; at < near; at++) if (bytes[at] === sign) return at;
  const found = near === bytes.length ? -1 : bytes.indexOf(sign, near);
  return found === -1 ? bytes.length : found;
}

const isDigit = (sign: number): boolean => sign >= ZERO && sign <= NINE;

export function scanJson(bytes: Uint8Array, limits: JsonLimits): JsonScan {
  const scan = new JsonScan(limits);
  scan.push(bytes);
  return scan;
}
