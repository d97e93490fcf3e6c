import { expect, it } from 'vitest';
import { isOwnAddress, type OwnAddress } from './own-address.js';

it.each<[OwnAddress, string, boolean]>([
  ['none', 'https://a.test/mcp', false],
  ['any', 'http://localhost:3100/mcp', true],
  ['any', 'https://a.test/mcp', true],
  ['named', 'https://a.test/mcp', true],
  ['named', 'http://localhost:3100/mcp', false],
  ['named', 'http://127.0.0.1/mcp', false],
  ['named', 'http://[::1]:3100/mcp', false],
  ['named', 'http://[::ffff:127.0.0.1]/mcp', false],
  ['named', 'http://0x7f.1/mcp', false],
  ['named', 'http://me.localhost/mcp', false],
])('%s, %s: %s', (own, resource, isOurs) => expect(isOwnAddress(own, resource)).toBe(isOurs));
