import { describe, expect, it } from 'vitest';
import { readConfiguration } from './configuration.js';

const { allow } = readConfiguration({}, { dev: true }).http;
const own = readConfiguration(
  { HANDOVER_ALLOWED_HOSTS: 'Handover.Example', HANDOVER_ALLOWED_ORIGINS: 'https://app.example' },
  { dev: true },
).http.allow;

describe('hosts', () => {
  it.each(['localhost', 'localhost:3100', 'LOCALHOST', '127.0.0.1:1', '[::1]', '[::1]:3100'])(
    'answers %s',
    (host) => {
      expect(allow.host(host)).toBe(true);
    },
  );

  it.each([
    undefined,
    '',
    'evil.test',
    'localhost.evil.test',
    'evil.test:3100',
    '127.0.0.1.evil.test',
    '0.0.0.0',
    '::1',
    'localhost:x',
    'localhost@evil.test',
  ])('refuses %s', (host) => {
    expect(allow.host(host)).toBe(false);
  });

  it('a list of its own adds to the names of loopback', () => {
    expect(own.host('handover.example:443')).toBe(true);
    expect(own.host('localhost')).toBe(true);
    expect(own.host('other.example')).toBe(false);
  });
});

describe('origins', () => {
  it.each([
    undefined,
    'http://localhost',
    'http://localhost:5173',
    'https://127.0.0.1:1',
    'http://[::1]:3100',
  ])('answers %s', (origin) => {
    expect(allow.origin(origin)).toBe(true);
  });

  it.each([
    '',
    'null',
    'http://evil.test',
    'http://localhost.evil.test',
    'http://localhost:*',
    'http://localhost:3100/x',
    'file://',
    'http://evil.test#http://localhost',
  ])('refuses %s', (origin) => {
    expect(allow.origin(origin)).toBe(false);
  });

  it('an origin without a port means exactly that', () => {
    expect(own.origin('https://app.example')).toBe(true);
    expect(own.origin('https://app.example:8443')).toBe(false);
    expect(own.origin('http://app.example')).toBe(false);
  });
});
