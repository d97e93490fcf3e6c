import { describe, expect, it } from 'vitest';
import { parseCidr } from '../../config/cidr.js';
import { isServedInPlaintext } from './peer-gate.js';

const proxies = (text: string) => parseCidr(text) ?? expect.unreachable('a range');

describe('without TLS', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('%s is this machine', (peer) => {
    expect(isServedInPlaintext(peer, undefined)).toBe(true);
    expect(isServedInPlaintext(peer, proxies('10.0.0.0/8'))).toBe(true);
  });

  it.each(['10.1.2.3', '::ffff:10.1.2.3'])('%s is the proxy', (peer) => {
    expect(isServedInPlaintext(peer, proxies('10.0.0.0/8'))).toBe(true);
    expect(isServedInPlaintext(peer, undefined)).toBe(false);
  });

  it.each(['11.0.0.1', '::ffff:11.0.0.1', 'fd00::1', '::', '0.0.0.0', 'localhost', ''])(
    '%s is neither',
    (peer) => {
      expect(isServedInPlaintext(peer, proxies('10.0.0.0/8'))).toBe(false);
    },
  );

  it('a connection whose address is gone is neither', () => {
    expect(isServedInPlaintext(undefined, proxies('10.0.0.0/8'))).toBe(false);
  });
});
