/**
 * Keys in one text that are no phrase: PEM, a keystore that was written into it, and keys in one long word or in groups of hex
 * digits. The text is looked through in windows.
 */
import type { KeyRule } from '@handover/core';
import { isBase58Key } from './base58-key.js';
import type { Called } from './called.js';
import { HexGroupReader, type HexGroups } from './hex-groups.js';
import { CONTEXT_WITH_BLANKS, isHexDigits, maySpeakOfKeys, saysKeyBefore } from './hex-key.js';
import { isLetterOrDigit } from './letters.js';
import type { Sha256 } from './phrase.js';
import { plainPieces } from './plain-text.js';
import { type Window, windowsOf, wordsIn } from './windows.js';

/** Of fewer characters there is no key in one word or in groups. */
const SHORTEST = 51;
const LONGEST = 111;

const PEM = /-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----/;
/** What they cost beside being passed, in characters that are passed: a word as long as a key, and groups that may be one. */
const LONG_WORD_WORK = 300;
const GROUPS_WORK = 10;
/** All of these. */
const KEYSTORE = [/ciphertext/, /kdf/, /"[cC]rypto\\?"\s{0,16}:/];

/** Yields how much it has looked through since. */
export function* ruleOfText(
  text: string,
  called: Called,
  sha256: Sha256,
): Generator<number, KeyRule | undefined> {
  const mayHoldWord = text.length >= SHORTEST;
  const words = new KeyWords(called, sha256);
  let missing = KEYSTORE;
  for (const window of windowsOf(plainPieces(text))) {
    if (PEM.test(window.text)) return 'pem';
    missing = missing.filter((sign) => !sign.test(window.text));
    yield mayHoldWord ? words.look(window) : window.work;
  }
  return missing.length === 0 ? 'keystore' : words.rule;
}

/** The same without PEM and keystores, which no name and no row of groups is. */
export function* ruleOfLongWords(
  text: string,
  called: Called,
  sha256: Sha256,
): Generator<number, KeyRule | undefined> {
  if (text.length < SHORTEST) return undefined;
  const words = new KeyWords(called, sha256);
  for (const window of windowsOf(plainPieces(text))) {
    yield words.look(window);
  }
  return words.rule;
}

class KeyWords {
  readonly #called: Called;
  readonly #sha256: Sha256;
  #groups = new HexGroupReader();
  #ofWord: KeyRule | undefined;
  #inGroups = false;

  constructor(called: Called, sha256: Sha256) {
    this.#called = called;
    this.#sha256 = sha256;
  }

  /** A key in one word has the first say. */
  get rule(): KeyRule | undefined {
    return this.#ofWord ?? (this.#inGroups ? 'hex' : undefined);
  }

  /** How much work it was. */
  look(window: Window): number {
    let { work } = window;
    // What calls a row of groups a key stands before it: where it begins, and so in the same window.
    const mayBeGroups = this.#called.mayBeKey || maySpeakOfKeys(window.text);
    if (!mayBeGroups) this.#groups = new HexGroupReader();
    for (const [at, end] of wordsIn(window, isLetterOrDigit)) {
      const length = end - at;
      if (length >= SHORTEST && length <= LONGEST && !this.#ofWord) {
        this.#ofWord = this.#ruleOfWord(window, at, end);
        work += LONG_WORD_WORK;
      }
      if (!mayBeGroups || this.#inGroups) continue;
      const groups = this.#groups.word(window.text, window.start, at, end);
      if (!groups) continue;
      this.#inGroups = this.#areKey(window, groups);
      work += GROUPS_WORK;
    }
    return work;
  }

  #ruleOfWord({ text }: Window, at: number, end: number): KeyRule | undefined {
    const word = text.slice(at, end);
    if (isBase58Key(word, this.#sha256)) return 'base58';
    return isHexDigits(word) && this.#isCalledKey(text, at) ? 'hex' : undefined;
  }

  #areKey({ text, start }: Window, { at, row }: HexGroups): boolean {
    // So far into a row of groups nothing stands before them but groups, and no group is a word that tells.
    if (at - row >= CONTEXT_WITH_BLANKS) return this.#called.isKey;
    return this.#isCalledKey(text, at - start);
  }

  #isCalledKey = (text: string, at: number): boolean => saysKeyBefore(text, at) ?? this.#called.isKey;
}
