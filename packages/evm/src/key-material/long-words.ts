/** Words of letters and digits that are as long as a key in one word may be: 51 to 111 characters. */
import { endOfWord, isLetterOrDigit, startOfWord } from './letters.js';

export interface LongWord {
  readonly word: string;
  readonly at: number;
}

const SHORTEST = 51;
const LONGEST = 111;

/** Longer words are passed over whole: no key is a part of one. */
export function* longWords(text: string): Generator<LongWord> {
  for (let at = startOfWord(text, 0, isLetterOrDigit); at < text.length; ) {
    const end = endOfWord(text, at, isLetterOrDigit);
    if (end - at >= SHORTEST && end - at <= LONGEST) yield { word: text.slice(at, end), at };
    at = startOfWord(text, end, isLetterOrDigit);
  }
}
