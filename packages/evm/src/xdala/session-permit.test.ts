import { type Definition, getSignPayload } from 'ox/TypedData';
import { hashTypedData } from 'viem';
import { describe, expect, it } from 'vitest';
import { type PermitForm, permitTypedData, wirePermit } from './session-permit.js';

const chain = (permit: PermitForm['permit']): PermitForm => ({ chainId: 1879, permit });
const FACTS = {
  from: `0x${'22'.repeat(20)}`,
  ostcId: 'flow',
  ostcHash: `0x${'00'.repeat(32)}`,
  sessionId: '17',
  maxTotalGas: 0,
  expiry: 1_800_000_000,
};
const CLIENT = chain({ ostcHashType: 'string', wire: 'client' });

describe('permit', () => {
  it('has the fields in the order that is hashed', () => {
    expect(
      permitTypedData(FACTS, CLIENT).types.SessionPermit.map(({ name, type }) => `${name}:${type}`),
    ).toEqual([
      'from:address',
      'ostcId:string',
      'ostcHash:string',
      'sessionId:uint256',
      'maxTotalGas:uint256',
      'expiry:uint256',
    ]);
  });

  it('travels in either form', () => {
    expect(Object.keys(wirePermit(FACTS, '0x', CLIENT))).toEqual([
      'OstcHash',
      'Expiry',
      'Signature',
      'Owner',
      'PrimaryType',
      'Domain',
      'Types',
      'Message',
    ]);
    expect(Object.keys(wirePermit(FACTS, '0x', chain({ ostcHashType: 'bytes32', wire: 'catalog' })))).toEqual(
      ['domain', 'types', 'primaryType', 'message', 'signature'],
    );
  });

  it.each(['string', 'bytes32'] as const)(
    'is valid typed data and has one hash, its hash of the process as %s',
    (type) => {
      const data = permitTypedData(FACTS, chain({ ostcHashType: type, wire: 'client' }));
      const { domain, types, primaryType } = data;
      const numbers = { sessionId: 17n, maxTotalGas: 0n, expiry: 1_800_000_000n };
      const message = { ...data.message, ...numbers };
      const payload = getSignPayload({ domain, types, primaryType, message } as Definition);
      expect(payload).toBe(
        hashTypedData({ domain, types, primaryType, message } as Parameters<typeof hashTypedData>[0]),
      );
    },
  );
});
