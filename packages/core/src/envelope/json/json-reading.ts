import type { Fields } from '../../fields.js';
import type { Codec } from '../codec.js';

/** One pass over a JSON value. It never throws: the first flaw is kept and reading goes on with defaults. */
export class JsonReading {
  readonly codec: Codec;
  #flaw: string | undefined;

  constructor(codec: Codec) {
    this.codec = codec;
  }

  /** Which field, and what it must be. */
  get flaw(): string | undefined {
    return this.#flaw;
  }

  fail<V>(path: string, mustBe: string, instead: V): V {
    this.#flaw ??= `${path} ${mustBe}`;
    return instead;
  }
}

/** Only own keys are read, so nothing inherited can pass for a field. */
export function own(record: Fields, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
