import { describe, expect, it } from 'vitest';
import { forWallet, normalise } from './normalise.js';

const TO = '0x1111111111111111111111111111111111111111';
const flaw = (request: Record<string, unknown>) => normalise(request, 1879).flaw;

describe('normalise', () => {
  it('reads numbers however they are written, and fills what is left out', () => {
    const { transaction } = normalise(
      { to: TO, value: '0x10', gas: 21_000, input: '0xAB', chainId: '1879' },
      1879,
    );
    expect(transaction).toEqual({ to: TO, value: 16n, data: '0xab', gas: 21_000n });
  });

  it('refuses what it could not show', () => {
    expect(flaw({ to: TO, authorizationList: [] })).toContain('authorizationList');
    expect(flaw({ to: 'bob.eth' })).toContain('to is not an address');
    expect(flaw({ to: TO, value: '-1' })).toContain('value');
    expect(flaw({ to: TO, value: 1.5 })).toContain('value');
    expect(flaw({ to: TO, data: '0xabc' })).toContain('not hex');
    expect(flaw({ to: TO, data: '0xab', input: '0xcd' })).toContain('two different');
    expect(flaw({ to: TO, chainId: 1 })).toContain('another chain');
    expect(normalise(undefined, 1).flaw).toContain('no transaction');
  });

  it('gives the wallet the signer and the chain', () => {
    const { transaction } = normalise({ to: TO, value: '5', nonce: 0 }, 1879);
    if (!transaction) throw new Error('flawed');
    expect(forWallet(transaction, '0xabc', 1879)).toEqual({
      from: '0xabc',
      to: TO,
      value: '0x5',
      data: '0x',
      chainId: '0x757',
      nonce: '0x0',
    });
  });
});
