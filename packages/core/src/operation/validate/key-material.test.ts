/** review:H8: names that say that a key follows, however they are written. */
import { expect, it } from 'vitest';
import { hasKeyMaterial, hasKeyMaterialInSessionRequest } from './key-material.js';

it.each([
  'privateKey',
  'PRIVATE_KEY',
  'private key',
  'private.key',
  'Private\u200bKey',
  'ｐｒｉｖａｔｅＫｅｙ',
  'seed-phrase',
])('review:H8 a field that is called %j is refused', (name) => {
  expect(hasKeyMaterial({ payload: [{ [name]: 'x' }] })).toBe(true);
});

it.each(['publicKey', 'keyOfPrivateRoom', 'privateKeyHolder', 'seed', 'wallet'])(
  'review:H8 a field that is called %j is not',
  (name) => {
    expect(hasKeyMaterial({ [name]: 'x' })).toBe(false);
  },
);

it('hardening:H1 a name is read from its beginning, as far as its letters and 512 characters go', () => {
  const named = (name: string) => hasKeyMaterial({ [name]: 'x' });
  expect(named(`private${'-'.repeat(400)}key`)).toBe(true);
  expect(named(`privatekey${'\u200b'.repeat(1_000_000)}`)).toBe(true);
  expect(named(`private${'\u0316'.repeat(40)}key`)).toBe(true);
  expect(named(`private${'-'.repeat(600)}key`)).toBe(false);
  expect(named(`privatekey${'-'.repeat(100)}holder`)).toBe(false);
  expect(named(`mnemo${'\u0301'.repeat(40)}nic`)).toBe(false);
});

it('in a session request signatures are refused, too, but inside its payloads', () => {
  const request = (session: object, more: object = {}) => ({ sessions: [session], ...more });
  expect(hasKeyMaterialInSessionRequest(request({ payload: { signature: 1, permit: 1 } }))).toBe(false);
  expect(hasKeyMaterialInSessionRequest(request({ payload: { deep: [{ Mnemonic: 1 }] } }))).toBe(true);
  expect(hasKeyMaterialInSessionRequest(request({ payload: {}, signature: 1 }))).toBe(true);
  expect(hasKeyMaterialInSessionRequest(request({ payload: [{ permit: 1 }] }))).toBe(true);
  expect(hasKeyMaterialInSessionRequest(request({}, { summary: { Permit: 1 } }))).toBe(true);
  expect(hasKeyMaterialInSessionRequest({ sessions: { a: { signature: 1 } } })).toBe(true);
  expect(hasKeyMaterialInSessionRequest([{ signature: 1 }])).toBe(true);
  expect(hasKeyMaterialInSessionRequest(request({ payload: {} }))).toBe(false);
});
