/**
 * Recovery phrases (BIP-39) in texts: 12, 15, 18, 21 or 24 words of one list in a row, with the right checksum.
 *
 * P1. Numbers, punctuation, markup and line breaks between the words do not matter, nor do capitals and unseen characters. Words stand apart, also in
 *     Chinese: nearly every sentence written without spaces is a row of listed characters.
 * P2. The cost grows with the text and no faster. A checksum is worked out only for a row that is long enough. A text
 *     of so many rows that their checksums would cost too much, none of them right, was made for that: it is refused.
 * P3. Ordinary words that happen to be listed may come out as a phrase: one in sixteen rows of twelve does.
 */
import type { Codec } from '@handover/core';
import { endOfWord, isLetter, startOfWord } from './letters.js';
import { readings } from './plain-text.js';
import { type Place, wordPlaces } from './word-lists.js';

const LENGTHS = [12, 15, 18, 21, 24] as const;
const SHORTEST = LENGTHS[0];
const LONGEST = LENGTHS[4];
/** The shortest phrase: twelve words of one character, with a space between. */
const SHORTEST_TEXT = 2 * SHORTEST - 1;
/** More than any listed word has, in form NFKD. */
const LONGEST_WORD = 32;
const BITS_OF_A_WORD = 11;
/** Rows of one text whose checksums are worked out. Of as many ordinary ones, none stays without a right checksum. */
const MAX_CHECKSUMS = 4_096;

export type Sha256 = Codec['sha256'];

/** What a search has found in a text. */
export interface Searched {
  readonly isPhrase: boolean;
  /** Every word of it is listed; it may be a part of a phrase that goes on elsewhere. */
  readonly isListed: boolean;
  /** The listed words with which it begins and ends, with something else between them: they may go on in another text. */
  readonly edges: string;
}

export function searchWords(text: string, sha256: Sha256): Searched {
  const [first = '', ...others] = readings(text);
  const searched = searchReading(first, sha256);
  if (searched.isPhrase) return searched;
  return { ...searched, isPhrase: others.some((one) => searchReading(one, sha256).isPhrase) };
}

export const holdsPhrase = (text: string, sha256: Sha256): boolean =>
  text.length >= SHORTEST_TEXT && searchWords(text, sha256).isPhrase;

function searchReading(text: string, sha256: Sha256): Searched {
  /** By list: the words that came without another between them. */
  let rows = NO_ROWS;
  const checksums = { left: MAX_CHECKSUMS };
  let firstOther = text.length;
  let afterOther = 0;
  for (let at = startOfWord(text, 0, isLetter); at < text.length; ) {
    const end = endOfWord(text, at, isLetter);
    for (const found of placesOf(text, at, end)) {
      rows = found ? longerRows(rows, found) : NO_ROWS;
      if (endInPhrase(rows, checksums, sha256)) return { isPhrase: true, isListed: false, edges: '' };
      if (found) continue;
      firstOther = Math.min(firstOther, at);
      afterOther = end;
    }
    at = startOfWord(text, end, isLetter);
  }
  const isListed = afterOther === 0;
  const [begins, ends] = isListed ? [text, text] : [text.slice(0, firstOther), text.slice(afterOther)];
  const whole = isListed && text.length <= 2 * EDGE;
  const edges = whole ? text : `${begins.slice(0, EDGE)} ${OTHER} ${ends.slice(-EDGE)}`;
  return { isPhrase: false, isListed, edges };
}

/** Whether the last words of a row are a phrase; or too many checksums were worked out without one. */
function endInPhrase(rows: Rows, checksums: { left: number }, sha256: Sha256): boolean {
  for (const row of rows.values())
    for (const length of LENGTHS) {
      if (length > row.length) break;
      checksums.left -= 1;
      if (checksums.left < 0 || isPhrase(row.slice(-length), sha256)) return true;
    }
  return false;
}

/** Twenty-four long words, numbered. */
const EDGE = 512;
/** No list has it. */
const OTHER = 'x';
const CAMEL = /(?<=\p{Ll})(?=\p{Lu})/u;
const NOT_LISTED = [undefined];

/** Where the word stands in the lists. One that is not listed may be several, each with a capital at its beginning. */
function placesOf(text: string, at: number, end: number): readonly (readonly Place[] | undefined)[] {
  if (end - at > EDGE) return NOT_LISTED;
  const word = text.slice(at, end);
  const small = word.toLowerCase();
  const places = wordPlaces();
  const found = end - at > LONGEST_WORD ? undefined : places.get(small);
  if (found) return [found];
  // Most words have no capital but the first letter, and a pattern is dear.
  if (word.length === small.length && word.endsWith(small.slice(1))) return NOT_LISTED;
  const parts = word.split(CAMEL);
  return parts.length === 1 ? NOT_LISTED : parts.map((part) => places.get(part.toLowerCase()));
}

/** Whether the text, of listed words alone, is a phrase from its beginning to its end. */
export function isWholePhrase(text: string, sha256: Sha256): boolean {
  let rows: Rows = NO_ROWS;
  let count = 0;
  const [searched = ''] = readings(text);
  for (let at = startOfWord(searched, 0, isLetter); at < searched.length; ) {
    const end = endOfWord(searched, at, isLetter);
    for (const found of placesOf(searched, at, end)) {
      rows = found ? longerRows(rows, found) : NO_ROWS;
      count += 1;
      if (!found || count > LONGEST) return false;
    }
    at = startOfWord(searched, end, isLetter);
  }
  if (!LENGTHS.some((length) => length === count)) return false;
  return [...rows.values()].some((row) => row.length === count && isPhrase(row, sha256));
}

type Rows = ReadonlyMap<number, readonly number[]>;
const NO_ROWS: Rows = new Map();

function longerRows(rows: Rows, found: readonly Place[]): Rows {
  return new Map(
    found.map(({ list, index }) => [list, [...(rows.get(list) ?? []), index].slice(-LONGEST)] as const),
  );
}

/** The last bits of the words are the first bits of the hash of all bits before them. */
function isPhrase(indexes: readonly number[], sha256: Sha256): boolean {
  const checksumBits = indexes.length / 3;
  const entropyBytes = (indexes.length * BITS_OF_A_WORD - checksumBits) / 8;
  const bits = indexes.reduce((all, index) => (all << 11n) | BigInt(index), 0n);
  const hex = (bits >> BigInt(checksumBits)).toString(16).padStart(entropyBytes * 2, '0');
  const entropy = Uint8Array.from({ length: entropyBytes }, (_, i) =>
    Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16),
  );
  const firstByte = Number.parseInt(sha256(entropy).slice(0, 2), 16);
  return Number(bits & ((1n << BigInt(checksumBits)) - 1n)) === firstByte >> (8 - checksumBits);
}
