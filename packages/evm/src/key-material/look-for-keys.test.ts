/** hardening:H1: keys are looked for in pieces of bounded size, and where a piece ends does not matter. */
import { createHash } from 'node:crypto';
import { entropyToMnemonic } from '@scure/bip39';
import { wordlist as english } from '@scure/bip39/wordlists/english.js';
import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../test/hardening/support/hostile-texts.js';
import { findKeyMaterial, lookForKeys } from './find-key-material.js';

const codec = { sha256: (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex') };
const rule = (text: string) => findKeyMaterial({ note: text }, codec)?.rule;

/** About what one piece of a text comes to, if each of its characters becomes eighteen. */
const OF_A_PIECE = 100_000;
const N = 200_000;

describe('hardening:H1 keys are looked for in pieces', () => {
  it.each(Object.entries(HOSTILE_TEXTS))('of bounded size: %s', (_, text) => {
    const hostile = text(N);
    const short = hostile.match(/[\s\S]{1,3000}/g) ?? [];
    const names = Object.fromEntries(short.map((name, i) => [`${i}${name}`, i]));
    for (const value of [{ note: hostile }, { [hostile]: 1 }, { notes: short }, names]) {
      const pieces = [...lookForKeys(value, codec)];
      expect(Math.max(...pieces)).toBeLessThan(OF_A_PIECE);
      if (findKeyMaterial(value, codec)) continue;
      expect(pieces.reduce((sum, work) => sum + work, 0)).toBeGreaterThanOrEqual(hostile.length);
    }
  });

  it('of which a checksum and a word that may be a key count more than a character', () => {
    const work = (text: string, name = 'note') =>
      [...lookForKeys({ [name]: text }, codec)].reduce((sum, one) => sum + one, 0);
    const plain = work('x'.repeat(N));
    expect(work(`5${'K'.repeat(50)} `.repeat(N / 52))).toBeGreaterThan(plain * 1.5);
    // May be called a key, and is not.
    expect(work(' ab'.repeat(N / 3), 'walletId')).toBeGreaterThan(plain * 1.5);
    // None of its rows has a right checksum.
    const rows = `${'abandon '.repeat(13)}zzz `.repeat(100);
    expect(work(rows)).toBeGreaterThan(work('x'.repeat(rows.length)) * 1.5);
  });
});

const PHRASE = entropyToMnemonic(
  new Uint8Array(16).map((_, i) => i * 13 + 5),
  english,
);
const HEX = 'ab'.repeat(32);
const PIECE = 4_096;

describe('hardening:H1 where a piece ends', () => {
  it.each([
    ['a phrase', PHRASE, 'phrase'],
    ['a phrase with unseen characters', PHRASE.replaceAll(' ', '\u200b'), 'phrase'],
    ['a phrase in a list of a page', PHRASE.replaceAll(' ', '</li><li class="word">'), 'phrase'],
    ['a phrase with accents in parts', PHRASE.replaceAll('a', 'a\u200d'), 'phrase'],
    ['digits that are called a key', `private key: ${' '.repeat(300)}0x${HEX}`, 'hex'],
    ['digits in groups', `private key ${HEX.replace(/../g, '$& ')}`, 'hex'],
    ['a single key', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ', 'base58'],
    ['PEM', '-----BEGIN EC PRIVATE KEY-----', 'pem'],
    ['a keystore', `{"crypto" : {"ciphertext":"ab",${' '.repeat(2 * PIECE)}"kdf":"scrypt"}}`, 'keystore'],
  ])('%s is found', (_, secret, expected) => {
    for (let at = PIECE - secret.length - 3; at <= PIECE + 3; at += at < PIECE - 80 ? 37 : 1)
      for (const before of ['. ', 'é ', '\u0301 '])
        expect(rule(`${before.repeat(Math.max(0, at) / 2)} ${secret} `), `${before} ${at}`).toBe(expected);
  });

  it('what is far behind what calls it a key is none, wherever that is', () => {
    for (let at = 0; at <= PIECE + 3; at += 61) {
      expect(rule(`${'. '.repeat(at / 2)}private key ${'x '.repeat(30)}0x${HEX} `)).toBeUndefined();
      expect(rule(`${'. '.repeat(at / 2)}tx hash ${HEX.replace(/../g, '$& ')}`)).toBeUndefined();
    }
  });

  it('a row of groups is called what stands before it, however long it is', () => {
    const row = ' ab'.repeat(PIECE);
    expect(rule(`private key${row}`)).toBe('hex');
    expect(rule(`tx hash${row}`)).toBeUndefined();
    expect(findKeyMaterial({ privateKey: `tx hash${row}` }, codec)?.rule).toBe('hex');
    expect(findKeyMaterial({ privateKeyHash: `private key${row}` }, codec)?.rule).toBe('hex');
    expect(findKeyMaterial({ txHash: `tx hash${row}` }, codec)?.rule).toBeUndefined();
  });

  it('words that begin or end a long text may go on in another one', () => {
    const words = PHRASE.split(' ');
    const [first, second] = [words.slice(0, 5).join(' '), words.slice(5).join(' ')];
    const filler = ' zzz'.repeat(PIECE);
    expect(findKeyMaterial({ a: `zzz${filler} ${first}`, b: `${second}${filler}` }, codec)?.rule).toBe(
      'phrase',
    );
    expect(findKeyMaterial({ a: `${first}${filler}`, b: second }, codec)).toBeUndefined();
    const long = 'z'.repeat(3 * PIECE);
    expect(findKeyMaterial({ a: `${long} ${first}`, b: `${second} ${long}` }, codec)?.rule).toBe('phrase');
  });
});
