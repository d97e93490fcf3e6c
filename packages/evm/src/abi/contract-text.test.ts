import fc from 'fast-check';
import { encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import {
  decodeAddress,
  decodeAddresses,
  decodeText,
  decodeWord,
  encodeText,
  textCall,
} from './contract-text.js';

const [ONE, TWO] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const;
const word = (n: number) => n.toString(16).padStart(64, '0');

describe('texts', () => {
  it('are written as another implementation writes them, and read back', () => {
    const abi = parseAbi(['function getOSTC(string)']);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        const encoded = encodeAbiParameters([{ type: 'string' }], [text]);
        expect(`0x${encodeText(text)}`).toBe(encoded);
        expect(decodeText(encoded)).toBe(text.startsWith('\ufeff') ? undefined : text);
        const data = encodeFunctionData({ abi, args: [text] });
        expect(textCall(data.slice(2, 10), text)).toBe(data);
      }),
      { numRuns: 200 },
    );
  });

  it('may come without padding, or with more behind them', () => {
    const bare = `0x${word(32)}${word(2)}6869`;
    expect([decodeText(bare), decodeText(`${bare}${'0'.repeat(60)}${word(7)}`)]).toEqual(['hi', 'hi']);
  });

  it.each([
    '',
    '0x',
    '0x0',
    '0xzz',
    `0x${word(1)}`,
    `0x${word(32)}${word(3)}6869`,
    `0x${word(320)}${word(0)}`,
    `0x${'f'.repeat(64)}${word(0)}`,
    `0x${word(32)}${word(1)}ff${'0'.repeat(62)}`,
  ])('%s is none', (data) => {
    expect(decodeText(data)).toBeUndefined();
  });
});

describe('addresses and words', () => {
  it('are read in lowercase, whatever stands behind them', () => {
    const one = encodeAbiParameters([{ type: 'address' }], [ONE]);
    expect(decodeAddress(`${one.replaceAll('a', 'A')}00`)).toBe(ONE);
    expect(decodeWord(`${one.replaceAll('a', 'A')}00`)).toBe(one);
    const both = encodeAbiParameters([{ type: 'address[]' }], [[ONE, TWO]]);
    expect(decodeAddresses(both)).toEqual([ONE, TWO]);
    expect(decodeAddresses(encodeAbiParameters([{ type: 'address[]' }], [[]]))).toEqual([]);
  });

  it('are none when words are missing or hold more than an address', () => {
    const full = `0x${'1'.repeat(64)}`;
    expect([decodeAddress('0x'), decodeAddress(full), decodeWord('0x12')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(decodeAddresses(`0x${word(32)}${word(2)}${word(1)}`)).toBeUndefined();
    expect(decodeAddresses(`0x${word(32)}${word(1)}${full.slice(2)}`)).toBeUndefined();
  });
});
