import { describe, expect, it } from 'vitest';
import { isLoopback } from './address.js';
import { type ChannelSettings, endpointOf } from './channel.js';

const openChannel = (settings: ChannelSettings) => endpointOf(settings).open();

describe('plaintext', () => {
  it.each([
    '127.0.0.1:50051',
    'localhost:1',
    '[::1]:1',
    '127.9.9.9:1',
    'ipv4:127.0.0.1:1',
    'ipv6:[::1]:1',
    'dns:///localhost:1',
    'unix:/run/x.sock',
    'ipv4:127.0.0.1:1,127.0.0.2:2',
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
    'ipv4:127.0.0.1:1,10.0.0.1:1',
  ])('needs an explicit word anywhere else: %s', (address) => {
    expect(isLoopback(address)).toBe(false);
    expect(() => openChannel({ address, secure: false })).toThrow(/allowInsecure/);
    openChannel({ address, secure: false, allowInsecure: true }).close();
    openChannel({ address, allowInsecure: true }).close();
    openChannel({ address }).close();
  });

  it.each([
    [' ', 'blank'],
    ['localhost', 'has no port; it must be host:port, such as localhost:50051'],
    ['::1', 'has no port; it must be host:port, such as [::1]:50051'],
    ['::1:50051', 'such as [::1]:50051'],
    ['[::1]', 'has no port'],
    ['dns:///example.com', 'has no port'],
    [':50051', 'has no host'],
    ['localhost:', 'has no port from 1 to 65535'],
    ['localhost:grpc', 'has no port from 1 to 65535'],
    ['localhost:70000', 'has no port from 1 to 65535'],
    [
      'http://127.0.0.1:3100',
      'is a URL; gRPC takes host:port, such as 127.0.0.1:3100 (the port of HTTP is another',
    ],
    ['https://example.com/macp?x', 'is a URL; gRPC takes host:port, such as example.com:50051'],
    ['grpc://localhost:50051', 'is a URL; gRPC takes host:port, such as localhost:50051'],
    ['localhost:50051/macp', 'is not host:port'],
    ['local host:1', 'is not host:port'],
    ['ipv4:127.0.0.1:1,127.0.0.1', 'has no port'],
  ])('is refused for the address %s before anything is sent', (address, message) => {
    expect(() => openChannel({ address })).toThrow(
      expect.objectContaining({
        name: 'MacpSessionError',
        argument: 'address',
        message: expect.stringContaining(message),
      }),
    );
  });
});

it.each(['secure', 'allowInsecure'])('%s is true or false, not a text', (argument) => {
  // Of an environment variable both 'true' and 'false' would be true.
  const settings = { address: '127.0.0.1:1', [argument]: 'false' } as unknown as ChannelSettings;
  expect(() => openChannel(settings)).toThrow(expect.objectContaining({ argument }));
});
