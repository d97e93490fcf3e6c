/** The word lists of BIP-39, each of 2,048 words. */
import { wordlist as czech } from '@scure/bip39/wordlists/czech.js';
import { wordlist as english } from '@scure/bip39/wordlists/english.js';
import { wordlist as french } from '@scure/bip39/wordlists/french.js';
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js';
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js';
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js';
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese.js';
import { wordlist as simplifiedChinese } from '@scure/bip39/wordlists/simplified-chinese.js';
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js';
import { wordlist as traditionalChinese } from '@scure/bip39/wordlists/traditional-chinese.js';

const LISTS: readonly (readonly string[])[] = [
  english,
  spanish,
  french,
  italian,
  portuguese,
  czech,
  japanese,
  korean,
  simplifiedChinese,
  traditionalChinese,
];

/** A word as a text is searched for it. */
export const plainWord = (text: string): string => text.normalize('NFKD').toLowerCase();

export interface Place {
  readonly list: number;
  readonly index: number;
}

let known: ReadonlyMap<string, readonly Place[]> | undefined;

/** Where a word stands in which lists: some words are in two of them. Made when the first text is searched. */
export function wordPlaces(): ReadonlyMap<string, readonly Place[]> {
  if (known) return known;
  const places = new Map<string, Place[]>();
  for (const [list, words] of LISTS.entries())
    for (const [index, word] of words.entries()) {
      const plain = plainWord(word);
      places.set(plain, [...(places.get(plain) ?? []), { list, index }]);
    }
  known = places;
  return places;
}
