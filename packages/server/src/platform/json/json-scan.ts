/**
 * Looks at JSON before it is parsed: how deep it nests and how many values it holds. Parsing costs by the value, not by
 * the byte, so a limit in bytes alone says little: a megabyte of brackets takes thirty times as long as a text of that
 * size.
 *
 * J1. Every value counts one: a text, a number, a list, an object, and the name of a member, too.
 * J2. Of valid JSON both numbers are exact. Of anything else they are at least what a parser meets before it gives up.
 * J3. It takes the bytes in any pieces, as they arrive, and stops at the first limit that is passed.
 */
export interface JsonLimits {
  readonly depth: number;
  readonly values: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export class JsonScan {
  readonly #limits: JsonLimits;
  #depth = 0;
  #values = 1;
  #excess: keyof JsonLimits | undefined;
  /** A list or an object was opened, and nothing of it has come yet. */
  #fresh = false;
  #inText = false;
  #escaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  get values(): number {
    return this.#values;
  }

  /** The limit that was passed first. */
  get excess(): keyof JsonLimits | undefined {
    return this.#excess;
  }

  /** False once a limit is passed: what comes after it is not looked at. */
  push(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length && !this.#excess; ) {
      if (this.#inText) at = this.#skipText(bytes, at);
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
    let escaped = this.#escaped;
    for (let at = from; at < bytes.length; at++) {
      const sign = bytes[at];
      if (escaped) escaped = false;
      else if (sign === BACKSLASH) escaped = true;
      else if (sign === QUOTE) {
        this.#inText = false;
        this.#escaped = false;
        return at + 1;
      }
    }
    this.#escaped = escaped;
    return bytes.length;
  }
}

export function scanJson(bytes: Uint8Array, limits: JsonLimits): JsonScan {
  const scan = new JsonScan(limits);
  scan.push(bytes);
  return scan;
}
