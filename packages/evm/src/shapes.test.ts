import { expect, it } from 'vitest';
import { checksummed } from './shapes.js';

// The examples of EIP-55.
it.each([
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
])('gives %s the letters of its checksum, however it was written', (address) => {
  expect(checksummed(address.toLowerCase())).toBe(address);
  expect(checksummed(`0x${address.slice(2).toUpperCase()}`)).toBe(address);
  expect(checksummed(address)).toBe(address);
});

it('leaves what is no address as it is', () => {
  expect(checksummed('nobody')).toBe('nobody');
  expect(checksummed(`0x${'ab'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`);
});
