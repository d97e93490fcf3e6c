import { describe, expect, it } from 'vitest';
import { isTextual, readContentType, servedType, withName } from './content-type.js';

describe('the name of an attachment', () => {
  it.each([
    'diff.patch',
    'a "quoted" name',
    'back\\slash; semi=colon',
    'Bericht – Übersicht.md',
    "it's (a) *name*",
    '日本語 📄.txt',
    "UTF-8''not%20encoded",
  ])('assistants:M5 %s comes back as it was sent', (name) => {
    const written = withName('text/plain; charset=utf-8', name);
    expect(written).toMatch(/^[\x20-\x7e]+$/);
    expect(readContentType(written)).toEqual({
      contentType: 'text/plain; charset=utf-8',
      mediaType: 'text/plain',
      name,
    });
  });

  it('replaces one that stands there already', () => {
    expect(withName('text/plain; name=old; charset=x', 'new')).toBe('text/plain; charset=x; name="new"');
    expect(withName("text/plain; Name*=UTF-8''old", 'new')).toBe('text/plain; name="new"');
    expect(withName('text/plain; name="old"', undefined)).toBe('text/plain; name="old"');
  });

  it('of others is bounded and without what cannot be seen', () => {
    expect(readContentType(`a/b; name="${'x'.repeat(500)}"`).name).toHaveLength(200);
    expect(readContentType("a/b; name*=UTF-8''a%0Ab%E2%80%AEc").name).toBe('abc');
    expect(readContentType("a/b; name*=UTF-8''%E0%A4%A; name=plain").name).toBe('plain');
    expect(readContentType("a/b; name*=latin-1''x")).not.toHaveProperty('name');
    expect(readContentType('a/b; name=')).not.toHaveProperty('name');
  });
});

it.each([
  ['text/markdown', 'text/markdown'],
  [' Text/HTML ; charset=x', 'text/html'],
  ['', 'application/octet-stream'],
  ['text', 'application/octet-stream'],
  ['text/plain\r\nx: y', 'application/octet-stream'],
  [`text/${'x'.repeat(9_000)}`, 'application/octet-stream'],
])('the media type of %j', (written, mediaType) => {
  expect(readContentType(written).mediaType).toBe(mediaType);
});

it('what is text by its type, and what is never served', () => {
  for (const type of [
    'text/x-diff',
    'application/json',
    'application/ld+json',
    'image/svg+xml',
    'application/xml',
    'application/javascript',
    'application/yaml',
    'application/toml',
    'application/x-sh',
  ])
    expect(isTextual(type), type).toBe(true);
  for (const type of ['image/png', 'application/pdf', 'application/octet-stream', 'application/jsonish'])
    expect(isTextual(type), type).toBe(false);
  expect([servedType('text/html'), servedType('text/css')]).toEqual(['text/plain', 'text/css']);
});
