import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromPageToken, toPageToken } from './page-token.js';

describe('page tokens', () => {
  it('come back as the id', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (id) => fromPageToken(toPageToken(id)) === id));
  });

  it.each(['x', 'djE6', '!', 'djI6YQ', ' '])('refuse %j', (token) => {
    expect(fromPageToken(token)).toBeUndefined();
  });
});
