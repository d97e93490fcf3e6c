import { atOnce } from '@handover/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countPoints, longPartOf } from './long-text.js';
import { codePoints, partOf } from './token-room.js';

const SLICE = 16_384;
const characters = fc
  .array(fc.constantFrom('a', 'é', '😀', '\n', '"', '\ud83d', '\ude00'), { maxLength: 12 })
  .map((parts) => parts.join(''));
/** Texts with something odd about where a slice may end. */
const texts = fc
  .tuple(fc.integer({ min: 0, max: 12 }), fc.constantFrom('x', '😀'), characters, fc.boolean())
  .map(([less, filler, odd, twice]) => {
    const one = filler.repeat(Math.floor((SLICE - less) / filler.length)) + odd;
    return twice ? one + one : one;
  });

describe('hardening:H1 a long text', () => {
  it('has as many code points, and the same parts, in slices as at once', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: -20, max: 20 }), fc.nat({ max: 4 }), (text, about, quarters) => {
        const all = codePoints(text);
        expect(atOnce(countPoints(text))).toBe(all);
        const offset = Math.max(0, Math.floor((all * quarters) / 4) + about);
        for (const room of [0, 7, 3_000, 200_000])
          expect(atOnce(longPartOf(text, offset, room))).toEqual(partOf(text, offset, room));
      }),
      { numRuns: 300 },
    );
  });

  it('is gone through in slices of bounded size', () => {
    const text = '😀'.repeat(500_000);
    for (const works of [[...countPoints(text)], [...longPartOf(text, 500_000, 0)]]) {
      expect(works.reduce((sum, work) => sum + work, 0)).toBe(text.length);
      expect(Math.max(...works)).toBeLessThanOrEqual(SLICE + 1);
    }
  });
});
