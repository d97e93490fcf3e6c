/** Takes secrets and the home folder out of every text of a capture, and counts what it took out by rule. */
import { redact, withoutHome } from '@handover/core';
import { cutCharacters } from './cut.js';

/** More of a text is never looked at: what is shown of it is far shorter. */
const MAX_LOOKED_AT = 32_768;

export class Redactor {
  readonly #home: string;
  readonly #counts: Record<string, number> = {};

  constructor(home: string) {
    this.#home = home;
  }

  get counts(): Readonly<Record<string, number>> {
    return this.#counts;
  }

  /** The text as it may be stored, at most so many characters. It is redacted before it is cut: half a key has no shape. */
  short(text: string, most: number): string {
    return cutCharacters(this.whole(lookedAt(text)), most);
  }

  whole(text: string): string {
    const { text: clean, counts } = redact(text);
    for (const [rule, hits] of Object.entries(counts)) this.#counts[rule] = (this.#counts[rule] ?? 0) + hits;
    return withoutHome(clean, this.#home)
      .replace(/\p{Cs}/gu, '\ufffd')
      .trim();
  }
}

/** Where a long text is cut off, its last word may be half a key: it goes. */
function lookedAt(text: string): string {
  if (text.length <= MAX_LOOKED_AT) return text;
  let end = MAX_LOOKED_AT;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
