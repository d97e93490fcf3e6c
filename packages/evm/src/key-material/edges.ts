/** With what a text begins and ends that may go on in another text: its listed words, up to the first other one and from the last. */
import type { Window } from './windows.js';

/** Twenty-four long words, numbered. */
export const EDGE = 512;
/** No list has it. */
const OTHER = 'x';

export class Edges {
  #head = '';
  #tail = '';
  #length = 0;
  /** Of the words that are not listed: where the first begins, and where the last ends. */
  #firstOther: number | undefined;
  #afterOther = 0;
  #lastEnd = 0;

  get isListed(): boolean {
    return this.#firstOther === undefined;
  }

  /** Once the whole text has passed. */
  get text(): string {
    if (this.isListed && this.#length <= 2 * EDGE) return this.#head;
    const begins = this.#head.slice(0, Math.min(EDGE, this.#firstOther ?? EDGE));
    const room = Math.min(EDGE, this.#length - this.#afterOther);
    const ends = room === 0 ? '' : this.#tail.slice(-room);
    return `${begins} ${OTHER} ${ends}`;
  }

  word({ start }: Window, at: number, end: number, isListed: boolean): void {
    if (!isListed) {
      // A word that is longer than a window began before it.
      this.#firstOther ??= at === 0 ? this.#lastEnd : start + at;
      this.#afterOther = start + end;
    }
    this.#lastEnd = start + end;
  }

  pass({ text, start }: Window): void {
    if (start === 0) this.#head = text.slice(0, 2 * EDGE);
    this.#tail = text;
    this.#length = start + text.length;
  }
}
