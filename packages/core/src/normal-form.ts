/**
 * `String.normalize` at a cost that grows with the text and no faster, whatever stands in it.
 *
 * The marks behind a letter are put in order one by one, so a run of n of them may cost n²: a megabyte of them holds a thread for
 * minutes. No writing puts thirty marks on one letter (UAX 15, Stream-Safe Text Format); of a longer run every thirty are
 * normalised for themselves.
 */
const LONGEST_RUN = 30;

/** Marks, and the letters that become marks: two of Thai and Lao, and two of half width. A pattern for a class, with the flag u. */
const MARKS = '\\p{M}\\u0e33\\u0eb3\\uff9e\\uff9f';
/** Where a run begins: else each mark of a shorter one would be tried as its first. */
const LONG_RUN = new RegExp(`(?=[${MARKS}])(?<![${MARKS}])[${MARKS}]{${LONGEST_RUN}}`, 'gu');
const PART_OF_RUN = new RegExp(`[${MARKS}]{1,${LONGEST_RUN}}`, 'uy');

/**
 * Beside those, the letters that may become one with the letter before them: vowels and ends of Korean syllables in every
 * width, and one vowel of Kirat Rai. Between any other two characters a text can be cut, and its parts be normalised.
 */
const JOINED = new RegExp(
  `[${MARKS}\\u1160-\\u11ff\\u3130-\\u318f\\uffa0-\\uffdc\\ud7b0-\\ud7ff\\u{16d63}-\\u{16d6a}]`,
  'u',
);

export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  let done = '';
  let from = 0;
  for (const { index } of text.matchAll(LONG_RUN)) {
    PART_OF_RUN.lastIndex = index;
    while (PART_OF_RUN.test(text)) {
      done += text.slice(from, PART_OF_RUN.lastIndex).normalize(form);
      from = PART_OF_RUN.lastIndex;
    }
  }
  return done + text.slice(from).normalize(form);
}

/**
 * From `at` on, the next place where a text can be cut so that its parts, normalised, are the whole, normalised. Inside a run that no
 * writing has it is anywhere.
 */
export function partingPlace(text: string, at: number): number {
  let place = isInsidePair(text, at) ? at + 1 : at;
  for (let passed = 0; place < text.length && passed <= LONGEST_RUN; passed++) {
    const character = String.fromCodePoint(text.codePointAt(place) ?? 0);
    if (!JOINED.test(character)) break;
    place += character.length;
  }
  return Math.min(place, text.length);
}

function isInsidePair(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
