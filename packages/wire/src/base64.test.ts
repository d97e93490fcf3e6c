import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromBase64, toBase64 } from './base64.js';

it('agrees with Node on any bytes, in either alphabet, padded or not', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const buffer = Buffer.from(bytes);
      expect(toBase64(bytes)).toBe(buffer.toString('base64'));
      for (const text of [
        buffer.toString('base64'),
        buffer.toString('base64url'),
        toBase64(bytes).replace(/=+$/, ''),
      ]) {
        expect(fromBase64(text)).toEqual(bytes);
      }
    }),
  );
});

it('accepts only text that it would have written, up to alphabet and padding', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'AQgw+/-_=. \n é'), maxLength: 12 }), (text) => {
      const bytes = fromBase64(text);
      if (bytes === undefined) return;
      const canonical = toBase64(bytes);
      expect([canonical, canonical.replace(/=+$/, '')]).toContain(
        text.replaceAll('-', '+').replaceAll('_', '/'),
      );
    }),
  );
});

it.each([
  'A',
  'AAAAA',
  'AA=',
  'AAA==',
  'A===',
  '====',
  '=',
  'AA=A',
  'AB==',
  'AAB=',
  'AA AA',
  'AA\n',
  'ÀAAA',
  'AA==AA==',
])('refuses %j', (text) => {
  expect(fromBase64(text)).toBeUndefined();
});
