import { describe, expect, it } from 'vitest';
import { isLoopback } from './address.js';
import { openChannel } from './channel.js';

describe('plaintext', () => {
  it.each([
    '127.0.0.1:50051',
    'localhost:1',
    '[::1]:1',
    '::1',
    '127.9.9.9:1',
    'ipv4:127.0.0.1:1',
    'ipv6:[::1]:1',
    'dns:///localhost:1',
    'unix:/run/x.sock',
    'localhost',
  ])('needs no word on this machine: %s', (address) => {
    expect(isLoopback(address)).toBe(true);
    openChannel({ address }).close();
  });

  it.each([
    '10.0.0.1:50051',
    'example.com:1',
    '127.0.0.1.example.com:1',
    'localhost.example.com:1',
    'dns:///example.com:1',
    'dns://127.0.0.1/example.com:1',
    '[::2]:1',
    '0.0.0.0:1',
    '128.0.0.1:1',
  ])('needs an explicit word anywhere else: %s', (address) => {
    expect(isLoopback(address)).toBe(false);
    expect(() => openChannel({ address, secure: false })).toThrow(/allowInsecure/);
    openChannel({ address, secure: false, allowInsecure: true }).close();
    openChannel({ address, allowInsecure: true }).close();
    openChannel({ address }).close();
  });

  it('needs an address', () => {
    expect(() => openChannel({ address: ' ' })).toThrow(/address/);
  });
});
