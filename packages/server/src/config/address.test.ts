import { describe, expect, it } from 'vitest';
import { formatAddress, isLoopback, parseAddress } from './address.js';
import { parseCidr } from './cidr.js';

describe('addresses', () => {
  it('loopback is 127/8 and ::1, also mapped, and nothing else', () => {
    for (const ip of ['127.0.0.1', '127.255.1.2', '::1', '::ffff:127.0.0.1'])
      expect(isLoopback(ip)).toBe(true);
    for (const ip of ['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '::2', '::ffff:10.0.0.1', 'localhost', '']) {
      expect(isLoopback(ip)).toBe(false);
    }
  });

  it('read and written', () => {
    for (const text of ['127.0.0.1:0', '[::1]:50051', '0.0.0.0:65535']) {
      const address = parseAddress(text);
      expect(address && formatAddress(address)).toBe(text);
    }
  });
});

describe('ranges', () => {
  it('know what they contain, in both notations of one address', () => {
    const four = parseCidr('10.1.0.0/16');
    expect(
      ['10.1.2.3', '::ffff:10.1.2.3', '10.2.0.0', 'fd00::1', 'x'].map((ip) => four?.contains(ip)),
    ).toEqual([true, true, false, false, false]);
    const six = parseCidr('fd00::/8');
    expect(['fd12::1', 'fe80::1', '10.0.0.1'].map((ip) => six?.contains(ip))).toEqual([true, false, false]);
  });
});
