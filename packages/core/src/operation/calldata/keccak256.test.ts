import fc from 'fast-check';
import { keccak256 as reference } from 'viem';
import { describe, expect, it } from 'vitest';
import { toHex } from '../abi.js';
import { keccak256 } from './keccak256.js';

describe('keccak256', () => {
  it('knows the hash of nothing', () => {
    expect(toHex(keccak256(new Uint8Array(0)))).toBe(
      'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    );
  });

  it('agrees with another implementation, around block ends too', () => {
    const check = (bytes: Uint8Array) => {
      expect(`0x${toHex(keccak256(bytes))}`).toBe(reference(bytes));
    };
    for (let length = 130; length < 280; length++) check(new Uint8Array(length).fill(length));
    fc.assert(fc.property(fc.uint8Array({ maxLength: 1_000 }), check), { numRuns: 200 });
  });
});
