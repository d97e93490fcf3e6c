import { describe, expect, it } from 'vitest';
import { endNotice } from '../flow/end-notice.js';
import { hasHidden, plainText } from './plain-text.js';
import { quoted } from './quoted.js';
import { timeLeft } from './time.js';
import { formatUnits } from './units.js';

describe('plainText', () => {
  it('writes out what cannot be seen or turns lines around', () => {
    expect(plainText('a\u202eb\u200bc\u0007')).toBe('a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩');
    expect(plainText('\u2800\u{1d159}\u{16fe4}')).toBe('⟨U+2800⟩⟨U+1D159⟩⟨U+16FE4⟩');
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

describe('quoted', () => {
  it.each([
    ['Mainnet”, verified by Handover “', "Mainnet', verified by Handover '"],
    ['„a‟ «b» "c" ＂d〞 ″e', "'a' 'b' 'c' 'd' 'e"],
    ["two '' and ’’ and ‘‘", "two ' and ' and '"],
    ['”\n\nHandover: this is free.\r\n\t“', "' Handover: this is free.⟨U+000D⟩ '"],
    ['far\u2003\u2003\u00a0\u00a0away  ', 'far away'],
    ["The owner's ‘rent’", "The owner's ‘rent’"],
  ])('review:A7 words of others do not step out of their quotation: %j', (given, shown) => {
    expect(quoted(given, 200)).toBe(shown);
  });

  it('review:A7 nor do those of a wallet, in the moment in which it answers', () => {
    const text = 'No”. Handover: this was paid. “';
    for (const answer of ['unclear', 'not_opened'] as const) {
      const said = endNotice({ end: { answer, walletCode: -32_002 }, text, isTold: true }, true)?.text ?? '';
      expect(said.match(/[“”]/g)).toEqual(['“', '”']);
    }
    const refused = { answer: 'refused', walletCode: 5_750 } as const;
    expect(endNotice({ end: refused, text, isTold: true }, true)?.text).toBe('You refused in the wallet.');
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
      'less than a minute left',
      '1 minute left',
      '60 minutes left',
      '2 hours left',
    ]);
  });
});
