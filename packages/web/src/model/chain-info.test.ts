import { expect, it } from 'vitest';
import { chainName } from './chain-info.js';

it('names a chain and its number once', () => {
  expect(chainName({ name: 'Sepolia' }, 11_155_111)).toBe('Sepolia (chain 11155111)');
  expect(chainName({ name: 'Chain 5' }, 5)).toBe('Chain 5');
  expect(chainName(undefined, 5)).toBe('Chain 5');
});
