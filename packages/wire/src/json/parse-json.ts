/**
 * Reads JSON whose text says one thing only: a name that comes twice in an object is refused at any depth, numbers keep
 * their digits, and nesting is bounded, so that recursion is. Callers bound the length and the number of values.
 */
import { JsonNumber, type JsonValue } from './json-value.js';

export type ParsedJson =
  | { readonly value: JsonValue }
  /** What follows "the body ..." in a sentence; nothing of the text is repeated. */
  | { readonly flaw: string };

export const MAX_JSON_DEPTH = 64;

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;
/** Must be written as escapes. */
const CONTROL = /[^ -\uffff]/;
const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

class Flaw extends Error {}

export function parseJson(text: string): ParsedJson {
  try {
    return { value: new Parser(text).whole() };
  } catch (thrown) {
    if (thrown instanceof Flaw) return { flaw: thrown.message };
    throw thrown;
  }
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): JsonValue {
    const value = this.#value(1);
    this.#match(SPACE);
    if (this.#at < this.#text.length) throw notJson();
    return value;
  }

  #value(depth: number): JsonValue {
    this.#match(SPACE);
    const sign = this.#text[this.#at];
    if (sign === '"') return this.#string();
    if (sign === '{' || sign === '[') {
      if (depth > MAX_JSON_DEPTH) throw new Flaw(`is nested more than ${MAX_JSON_DEPTH} deep`);
      this.#at += 1;
      return sign === '{' ? this.#members(depth) : this.#list(depth);
    }
    const word = this.#match(WORD);
    if (word !== '') return WORDS[word] ?? null;
    const number = this.#match(NUMBER);
    if (number === '') throw notJson();
    return new JsonNumber(number);
  }

  #members(depth: number): JsonValue {
    const members = new Map<string, JsonValue>();
    if (this.#takes('}')) return members;
    do {
      this.#match(SPACE);
      if (this.#text[this.#at] !== '"') throw notJson();
      const name = this.#string();
      if (members.has(name)) throw new Flaw('has a name twice in one object');
      this.#expect(':');
      members.set(name, this.#value(depth + 1));
    } while (this.#takes(','));
    this.#expect('}');
    return members;
  }

  #list(depth: number): JsonValue {
    const items: JsonValue[] = [];
    if (this.#takes(']')) return items;
    do items.push(this.#value(depth + 1));
    while (this.#takes(','));
    this.#expect(']');
    return items;
  }

  #string(): string {
    const from = this.#at;
    this.#at = this.#endOfString(from + 1);
    const literal = this.#text.slice(from, this.#at);
    if (CONTROL.test(literal)) throw notJson();
    return literal.includes('\\') ? unescaped(literal) : literal.slice(1, -1);
  }

  /** Behind the quote that ends it: one before which the number of backslashes is even. A loop over all signs would be slow. */
  #endOfString(from: number): number {
    for (let at = this.#text.indexOf('"', from); at !== -1; at = this.#text.indexOf('"', at + 1)) {
      let first = at;
      while (this.#text[first - 1] === '\\') first -= 1;
      if ((at - first) % 2 === 0) return at + 1;
    }
    throw notJson();
  }

  #takes(sign: string): boolean {
    this.#match(SPACE);
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#takes(sign)) throw notJson();
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}

function unescaped(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    throw notJson();
  }
}

const notJson = (): Flaw => new Flaw('is not JSON');
