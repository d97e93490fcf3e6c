/**
 * Recovery phrases (BIP-39) in texts: 12, 15, 18, 21 or 24 words of one list in a row, with the right checksum.
 *
 * P1. Numbers, punctuation and line breaks between the words do not matter, nor do capitals and unseen characters. Words stand apart, also in
 *     Chinese: nearly every sentence written without spaces is a row of listed characters.
 * P2. The cost grows with the text and no faster. A checksum is worked out only for a row that is long enough. A text
 *     of so many rows that their checksums would cost too much, none of them right, was made for that: it is refused.
 * P3. Ordinary words that happen to be listed may come out as a phrase: one in sixteen rows of twelve does.
 */
import type { Codec } from '@handover/core';
import { endOfWord, isLetter, startOfWord } from './letters.js';
import { plainText, readings } from './plain-text.js';
import { type Place, plainWord, wordPlaces } from './word-lists.js';

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

export function holdsPhrase(text: string, sha256: Sha256): boolean {
  if (text.length < SHORTEST_TEXT) return false;
  for (const reading of readings(text)) if (holdsRow(plainWord(reading), sha256)) return true;
  return false;
}

/** Whether the text is a phrase and nothing else: what stands about in a document is only taken together if it is. */
export function isWholePhrase(text: string, sha256: Sha256): boolean {
  const words = plainWord(plainText(text))
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== '');
  if (!LENGTHS.some((length) => length === words.length)) return false;
  const places = wordPlaces();
  const rows = words.reduce<Rows>((all, word, i) => {
    const longer = longerRows(all, places.get(word) ?? []);
    return new Map([...longer].filter(([, row]) => row.length === i + 1));
  }, NO_ROWS);
  return [...rows.values()].some((row) => isPhrase(row, sha256));
}

function holdsRow(searched: string, sha256: Sha256): boolean {
  const places = wordPlaces();
  /** By list: the words that came without another between them. */
  let rows = NO_ROWS;
  let checksums = 0;
  for (let at = startOfWord(searched, 0, isLetter); at < searched.length; ) {
    const end = endOfWord(searched, at, isLetter);
    const found = end - at > LONGEST_WORD ? undefined : places.get(searched.slice(at, end));
    at = startOfWord(searched, end, isLetter);
    rows = found ? longerRows(rows, found) : NO_ROWS;
    for (const row of rows.values())
      for (const length of LENGTHS) {
        if (length > row.length) break;
        checksums += 1;
        if (checksums > MAX_CHECKSUMS || isPhrase(row.slice(-length), sha256)) return true;
      }
  }
  return false;
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
