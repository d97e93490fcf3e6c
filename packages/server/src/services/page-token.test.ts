import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageToken, readPageToken } from './page-token.js';

const LISTS = ['sessions', 'workingSessions', 'handoffs', 'context', 'feed'] as const;
const older = (text: string): string => Buffer.from(text).toString('base64url');

it('reads what it wrote', () => {
  for (const list of LISTS)
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (id) => readPageToken(list, pageToken(list, id)) === id),
    );
  expect(pageToken('sessions', '')).toBe('');
  expect(readPageToken('sessions', '')).toBe('');
});

it('refuses the token of another list', () => {
  for (const list of LISTS)
    for (const other of LISTS)
      if (other !== list)
        expect(readPageToken(other, pageToken(list, '7')), `${list} ${other}`).toBeUndefined();
});

it('reads the page tokens, cursors and marks of 0.1.0, each in its own list', () => {
  expect(readPageToken('sessions', older('v1:some-session'))).toBe('some-session');
  expect(readPageToken('context', older('v1:7'))).toBe('7');
  expect(readPageToken('handoffs', older('1:some-session'))).toBe('some-session');
  expect(readPageToken('workingSessions', older('1:some-key'))).toBe('some-key');
  expect(readPageToken('feed', older('1:@42'))).toBe('@42');
  expect(readPageToken('handoffs', older('v1:7'))).toBeUndefined();
  expect(readPageToken('sessions', older('1:@42'))).toBeUndefined();
});

it('knows every other text as foreign', () => {
  const token = pageToken('sessions', 'some-session');
  for (const text of [
    'v2:sessions:some-session',
    `${token}=`,
    `${token} `,
    token.slice(0, 8),
    older('v2:sessions:'),
    older('v1:'),
    older('v3:sessions:a'),
    'x',
    '!',
    ' ',
  ])
    expect(readPageToken('sessions', text)).toBeUndefined();
});
