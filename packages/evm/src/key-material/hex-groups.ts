/** Sixty-four hex digits that are written in groups of one length, as people write long numbers. */
import { endOfWord, isLetterOrDigit, startOfWord } from './letters.js';

const GROUP = /^[0-9a-f]{2,16}$/i;
const LONGEST = '0x'.length + 16;
const DIGITS = 64;
/** Between two groups stands a space, a dash or a line break, not a sentence. */
const MOST_BETWEEN = 3;

/** Whether a value is one group and nothing else. */
export const isHexGroup = (value: unknown): value is string =>
  typeof value === 'string' && groupDigits(value, 0, value.length) > 0;

/** Where such groups begin; they follow one another directly. */
export function* hexGroups(text: string): Generator<number> {
  let starts: number[] = [];
  let length = 0;
  let last = 0;
  for (let at = startOfWord(text, 0, isLetterOrDigit); at < text.length; ) {
    const end = endOfWord(text, at, isLetterOrDigit);
    const digits = groupDigits(text, at, end);
    if (digits !== length || at - last > MOST_BETWEEN) starts = [];
    length = digits;
    last = end;
    if (digits > 0) starts.push(at);
    if (starts.length * digits === DIGITS) yield starts.shift() ?? at;
    at = startOfWord(text, end, isLetterOrDigit);
  }
}

/** How many digits the word adds; 0: it is no group. The first one may begin with 0x. */
function groupDigits(text: string, at: number, end: number): number {
  if (end - at > LONGEST) return 0;
  const word = text.slice(at, end).replace(/^0x/i, '');
  return GROUP.test(word) ? word.length : 0;
}
