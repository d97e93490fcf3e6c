/** Sixty-four hex digits that are written in groups of one length, as people write long numbers. */
const GROUP = /^[0-9a-f]{2,16}$/i;
const LONGEST = '0x'.length + 16;
const DIGITS = 64;
/** Between two groups stands a space, a dash or a line break, not a sentence. */
const MOST_BETWEEN = 3;

/** Whether a value is one group and nothing else. */
export const isHexGroup = (value: unknown): value is string =>
  typeof value === 'string' && groupDigits(value, 0, value.length) > 0;

export interface HexGroups {
  /** Where the first of them begins. */
  readonly at: number;
  /** Where the row of groups begins that they are a part of. */
  readonly row: number;
}

/** The words of a text, one after another. Tells of as many groups as make a key, which follow one another directly. */
export class HexGroupReader {
  #starts: number[] = [];
  #row = 0;
  #length = 0;
  #last = 0;

  /** `place`: of the whole text, in a window of which the word stands. */
  word(window: string, place: number, at: number, end: number): HexGroups | undefined {
    const digits = groupDigits(window, at, end);
    const start = place + at;
    if (digits !== this.#length || start - this.#last > MOST_BETWEEN) this.#starts = [];
    this.#length = digits;
    this.#last = place + end;
    // Three digits, or five, never come to sixty-four.
    if (digits === 0 || DIGITS % digits !== 0) return undefined;
    if (this.#starts.length === 0) this.#row = start;
    this.#starts.push(start);
    if (this.#starts.length * digits !== DIGITS) return undefined;
    return { at: this.#starts.shift() ?? start, row: this.#row };
  }
}

/** How many digits the word adds; 0: it is no group. */
function groupDigits(text: string, at: number, end: number): number {
  if (end - at > LONGEST) return 0;
  const word = text.slice(at, end).replace(/^0x/i, '');
  return GROUP.test(word) ? word.length : 0;
}
