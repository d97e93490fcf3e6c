import fc from 'fast-check';
import { keccak256, stringToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { selectorOf } from './selector.js';

describe('selectors', () => {
  it.each([
    ['', 'c5d24601'],
    ['transfer(address,uint256)', 'a9059cbb'],
  ])('"%s" has 0x%s', (text, selector) => {
    expect(selectorOf(text)).toBe(selector);
  });

  it('agree with another implementation, around block ends too', () => {
    const check = (text: string) => {
      expect(`0x${selectorOf(text)}`).toBe(keccak256(stringToHex(text)).slice(0, 10));
    };
    for (let length = 130; length < 280; length++) check('x'.repeat(length));
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), check), { numRuns: 200 });
  });
});
