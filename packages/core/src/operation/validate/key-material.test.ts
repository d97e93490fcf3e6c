/** review:H8: names that say that a key follows, however they are written. */
import { expect, it } from 'vitest';
import { hasKeyMaterial } from './key-material.js';

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
