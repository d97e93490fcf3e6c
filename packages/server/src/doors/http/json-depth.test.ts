import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonDepth } from './json-depth.js';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('the depth of a JSON text', () => {
  it('is that of its value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), fc.nat(1), (value, indent) => {
        expect(jsonDepth(JSON.stringify(value, null, indent), 100)).toBe(depthOf(value));
      }),
    );
  });

  it('does not count what stands in strings', () => {
    const value = ['[[[[', '\\', '"]', '\\"[', { '{"[': '\\\\' }];
    expect(jsonDepth(JSON.stringify(value), 100)).toBe(2);
  });

  it('stops at the limit, and at a string without end', () => {
    expect(jsonDepth('['.repeat(1_000_000), 32)).toBe(33);
    expect(jsonDepth('["[[[', 32)).toBe(1);
    expect(jsonDepth(`"${'\\"'.repeat(100_000)}`, 32)).toBe(0);
  });
});
