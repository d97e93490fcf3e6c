import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageToken, readPageToken } from './page-token.js';

it('reads what it wrote', () => {
  for (const id of ['a', 'c0ffee00-0000-4000-8000-000000000000', 'ä\u{1f600}'])
    expect(readPageToken(pageToken(id))).toBe(id);
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (id) => readPageToken(pageToken(id)) === id));
  expect(pageToken('')).toBe('');
  expect(readPageToken('')).toBe('');
});

it('reads the cursors and marks of 0.1.0', () => {
  expect(readPageToken(Buffer.from('1:some-session').toString('base64url'))).toBe('some-session');
  expect(readPageToken(Buffer.from('1:@42').toString('base64url'))).toBe('@42');
});

it('knows every other text as foreign', () => {
  const token = pageToken('some-session');
  for (const text of [
    'v1:some-session',
    `${token}=`,
    `${token} `,
    token.slice(0, -1),
    pageToken('x').slice(0, 4),
    'x',
    'djE6',
    '!',
    'djI6YQ',
    ' ',
  ])
    expect(readPageToken(text)).toBeUndefined();
});
