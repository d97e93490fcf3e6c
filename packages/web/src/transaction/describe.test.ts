import { CallWarning, readCalldata } from '@handover/evm';
import { expect, it, describe as suite } from 'vitest';
import type { ChainInfo } from '../model/chain-info.js';
import { describe } from './describe.js';
import { PageWarning, WARNINGS } from './warnings.js';

const CHAIN: ChainInfo = {
  chainId: 1879,
  name: 'XGR Testnet',
  currency: { name: 'XGR', symbol: 'XGR', decimals: 18 },
  permit: { ostcHashType: 'string', wire: 'client' },
};
const TOKEN = `0x${'aa'.repeat(20)}`;
const TO = `0x${'bb'.repeat(20)}`;
const word = (hex: string) => hex.padStart(64, '0');
const text = (
  data: string,
  value = 0n,
  to: string | undefined = TOKEN,
  token?: { symbol: string; decimals: number },
) => {
  const transaction = { ...(to !== undefined && { to }), value, data };
  return describe(transaction, readCalldata(transaction), CHAIN, token)
    .map((part) => (typeof part === 'string' ? part : 'strong' in part ? part.strong : part.address))
    .join('');
};

suite('describe', () => {
  it('says what the bytes do', () => {
    expect(text('0x', 10n ** 18n, TO)).toBe(`Send 1 XGR to ${TO}`);
    expect(text(`0xa9059cbb${word(TO.slice(2))}${word('3e8')}`)).toBe(
      `Transfer amount or item number 1,000 to ${TO}, of the token ${TOKEN}`,
    );
    expect(
      text(`0xa9059cbb${word(TO.slice(2))}${word('3e8')}`, 0n, TOKEN, { symbol: 'TUSD', decimals: 2 }),
    ).toContain('10 TUSD');
    expect(text(`0x095ea7b3${word(TO.slice(2))}${'f'.repeat(64)}`)).toContain('an unlimited amount');
    expect(text(`0x095ea7b3${word(TO.slice(2))}${word('7')}`)).toBe(
      `Allow ${TO} to take amount or item number 7 of the token ${TOKEN}`,
    );
    expect(text(`0x23b872dd${word(TO.slice(2))}${word(TO.slice(2))}${word('7')}`)).toContain(
      'Move amount or item number 7 from',
    );
    expect(text('0xdeadbeef', 5n)).toContain('a function this page does not know');
    expect(text('0xdeadbeef', 5n)).toContain('0.000000000000000005 XGR with it');
  });

  it('says that a contract is created', () => {
    const transaction = { value: 0n, data: '0x6001' };
    expect(describe(transaction, readCalldata(transaction), CHAIN)).toContainEqual({
      strong: 'new contract',
    });
  });

  it('has words for every warning', () => {
    expect(Object.keys(WARNINGS).sort()).toEqual(
      [...Object.values(CallWarning), ...Object.values(PageWarning)].sort(),
    );
  });
});
