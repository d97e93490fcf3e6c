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
import { bared } from './bare-words.js';
import { EDGE, Edges } from './edges.js';
import { isLetter } from './letters.js';
import { fullPieces } from './plain-text.js';
import { windowsOf, wordsIn } from './windows.js';
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
/** One costs as much as so many characters that are looked through. */
const CHECKSUM_WORK = 200;

export type Sha256 = Codec['sha256'];

/** What a search has found in a text. */
export interface Searched {
  readonly isPhrase: boolean;
  /** Every word of it is listed; it may be a part of a phrase that goes on elsewhere. */
  readonly isListed: boolean;
  /** The listed words with which it begins and ends, with something else between them: they may go on in another text. */
  readonly edges: string;
}

/** Yields how much it has looked through since. */
export function* searchWords(text: string, sha256: Sha256): Generator<number, Searched> {
  const told = { unseen: false, around: false };
  const searched = yield* searchReading(bared(fullPieces(text, '', told), told), sha256);
  if (searched.isPhrase) return searched;
  return { ...searched, isPhrase: yield* isPhraseOtherwise(text, told, sha256) };
}

export function* holdsPhrase(text: string, sha256: Sha256): Generator<number, boolean> {
  return text.length >= SHORTEST_TEXT && (yield* searchWords(text, sha256)).isPhrase;
}

/**
 * What nobody sees may have stood inside a word or between two. What is taken for an addition may be a word of its own: so the
 * text is read as it stands, too.
 */
function* isPhraseOtherwise(
  text: string,
  { unseen, around }: { readonly unseen: boolean; readonly around: boolean },
  sha256: Sha256,
): Generator<number, boolean> {
  const apart = { around: false };
  if (unseen && (yield* searchReading(bared(fullPieces(text, ' '), apart), sha256)).isPhrase) return true;
  if (around && (yield* searchReading(fullPieces(text, ''), sha256)).isPhrase) return true;
  return apart.around && (yield* searchReading(fullPieces(text, ' '), sha256)).isPhrase;
}

function* searchReading(pieces: Iterable<string>, sha256: Sha256): Generator<number, Searched> {
  /** By list: the words that came without another between them. */
  let rows = NO_ROWS;
  const checksums = { left: MAX_CHECKSUMS };
  const edges = new Edges();
  for (const window of windowsOf(pieces)) {
    const { left } = checksums;
    for (const [at, end] of wordsIn(window, isLetter))
      for (const found of placesOf(window.text, at, end)) {
        rows = found ? longerRows(rows, found) : NO_ROWS;
        if (endInPhrase(rows, checksums, sha256)) return { isPhrase: true, isListed: false, edges: '' };
        edges.word(window, at, end, found !== undefined);
      }
    edges.pass(window);
    yield window.work + (left - checksums.left) * CHECKSUM_WORK;
  }
  return { isPhrase: false, isListed: edges.isListed, edges: edges.text };
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

/** Whether the text, of listed words alone and not long, is a phrase from its beginning to its end. */
export function isWholePhrase(text: string, sha256: Sha256): boolean {
  let rows: Rows = NO_ROWS;
  let count = 0;
  const whole = [...bared(fullPieces(text, ''))].join('');
  for (const [at, end] of wordsIn({ text: whole, from: 0, isLast: true }, isLetter))
    for (const found of placesOf(whole, at, end)) {
      rows = found ? longerRows(rows, found) : NO_ROWS;
      count += 1;
      if (!found || count > LONGEST) return false;
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
