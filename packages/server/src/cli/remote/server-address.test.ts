import { describe, expect, it } from 'vitest';
import { serverAddress } from './server-address.js';

describe('assistants:6.7 the address of a server', () => {
  it.each([
    [
      'https://handover.example.org',
      'https://handover.example.org',
      'https://handover.example.org/mcp',
      false,
    ],
    [
      'https://example.org:8443/team/',
      'https://example.org:8443/team',
      'https://example.org:8443/team/mcp',
      false,
    ],
    ['https://example.org/mcp', 'https://example.org', 'https://example.org/mcp', false],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080/mcp', true],
    ['http://127.8.9.10', 'http://127.8.9.10', 'http://127.8.9.10/mcp', true],
    ['http://[::1]:1', 'http://[::1]:1', 'http://[::1]:1/mcp', true],
    ['http://LOCALHOST:1/', 'http://localhost:1', 'http://localhost:1/mcp', true],
  ])('%s', (text, shown, mcp, loopback) => {
    const address = serverAddress(text);
    expect([address.shown, address.mcp.href, address.loopback]).toEqual([shown, mcp, loopback]);
  });

  it.each([
    'http://example.org',
    'http://10.0.0.1',
    'http://0.0.0.0',
    'http://[::]',
    'http://127.0.0.1.example.org',
    'http://localhost.example.org',
  ])('J3: %s is refused: a token would travel in the clear', (text) => {
    expect(() => serverAddress(text)).toThrow('in the clear');
  });

  it.each([
    '',
    'example.org',
    'ftp://example.org',
    'unix:/x',
    'https://u:secret@example.org',
    'https://x/?token=secret',
  ])('what is no address is refused, and not repeated: %s', (text) => {
    expect(() => serverAddress(text)).toThrow('--server');
    expect(() => serverAddress(text)).not.toThrow('secret');
  });
});
