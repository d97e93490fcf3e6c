import { describe, expect, it } from 'vitest';
import { hasHidden, plainText } from './plain-text.js';
import { timeLeft } from './time.js';
import { formatUnits } from './units.js';

describe('plainText', () => {
  it('writes out what cannot be seen or turns lines around', () => {
    expect(plainText('a\u202eb\u200bc\u0007')).toBe('a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩');
    expect(plainText('tab\tand\nline')).toBe('tab\tand\nline');
    expect(plainText('grüße 日本')).toBe('grüße 日本');
  });

  it('cuts and says how much', () => {
    expect(plainText('x'.repeat(10), 4)).toBe('xxxx… (6 more characters)');
    expect(plainText({ a: 1 })).toBe('{"a":1}');
    expect(plainText(undefined)).toBe('');
  });

  it('finds hidden characters at any depth, in keys, too', () => {
    expect(hasHidden({ a: [{ b: 'x\u2066' }] })).toBe(true);
    expect(hasHidden({ 'k\u200d': 1 })).toBe(true);
    expect(hasHidden({ a: ['plain', 1, null] })).toBe(false);
  });
});

describe('numbers and times', () => {
  it('loses no digit', () => {
    expect(formatUnits(1n, 18)).toBe('0.000000000000000001');
    expect(formatUnits(1_250_000_000n, 6)).toBe('1,250');
    expect(formatUnits(12_345_600n, 4)).toBe('1,234.56');
    expect(formatUnits(7n, 0)).toBe('7');
  });

  it('says how long', () => {
    const at = (ms: number) => timeLeft(new Date(ms).toISOString(), 0);
    expect([at(-1), at(30_000), at(60_000), at(3_600_000), at(7_200_000)]).toEqual([
      'over',
      'less than a minute',
      '1 minute',
      '60 minutes',
      '2 hours',
    ]);
  });
});
