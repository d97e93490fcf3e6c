import { toFunctionSelector } from 'viem';
import { describe, expect, it } from 'vitest';
import { selectorOf } from './selector.js';
import { parseSignature } from './signature.js';

describe('signatures', () => {
  it.each([
    ['transfer(address,uint256)', 'transfer(address,uint256)'],
    ['function mint(address to, uint id)', 'mint(address,uint256)'],
    ['f(tuple(uint8 a, string b)[] list, bytes32[2] pair)', 'f((uint8,string)[],bytes32[2])'],
    ['f()', 'f()'],
    ['f(bytes calldata data)', 'f(bytes)'],
  ])('%s', (text, canonical) => {
    expect(parseSignature(text)?.canonical).toBe(canonical);
    expect(`0x${selectorOf(canonical)}`).toBe(toFunctionSelector(canonical));
  });

  it.each([
    'transfer',
    'f(uint7)',
    'f(uint264)',
    'f(bytes33)',
    'f(address,)',
    'f(())',
    'f(uint256[0])',
    'f(fixed)',
    'f(a)b)',
    `f(${'('.repeat(20)}bool${')'.repeat(20)})`,
    `f(${'uint256,'.repeat(1_000)}bool)`,
  ])('%s is none', (text) => {
    expect(parseSignature(text)).toBeUndefined();
  });
});
