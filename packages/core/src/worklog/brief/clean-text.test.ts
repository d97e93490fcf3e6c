import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanBeginning, cleaning, cleanText, hasText, quotedName, shortName } from './clean-text.js';
import { pieceWithoutUnseen, withoutUnseen } from './unseen.js';

/** The rule of assistants:3.1 as one expression after another, of which some take quadratic time. */
const asOneWouldWriteIt = (text: string): string =>
  pieceWithoutUnseen(text, 0, text.length)
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');

describe('assistants:3.1 clean text', () => {
  const parts = fc.constantFrom(
    'a',
    ' ',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '\u0085',
    '\u2028',
    '\u0000',
    '\u202e',
    '😀',
    '  b  ',
    '\u200b',
    '\u200d',
    '\ufe0f',
    '\u{e0041}',
    '\u{e0100}',
    'क',
  );
  const texts = fc.array(parts, { maxLength: 30 }).map((all) => all.join(''));

  it('is what the rule says', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(cleanText(text)).toBe(asOneWouldWriteIt(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('also where one piece of a long text ends', () => {
    fc.assert(
      fc.property(texts, texts, fc.nat({ max: 40 }), (before, after, back) => {
        const text = `${before}${'x'.repeat(Math.max(0, 65_536 - before.length - back))}${after}`;
        expect(cleanText(text)).toBe(asOneWouldWriteIt(text));
      }),
      { numRuns: 500 },
    );
  });

  it('hardening:H1 says after each piece how much it was', () => {
    const works = [...cleaning('\r\n'.repeat(500_000))];
    expect(works.reduce((sum, work) => sum + work, 0)).toBe(1_000_000);
    expect(Math.max(...works)).toBeLessThanOrEqual(65_537);
  });

  it('begins with its beginning, and is empty where nothing is left', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const clean = asOneWouldWriteIt(text);
        expect(hasText(text)).toBe(clean !== '');
        expect(cleanBeginning(text)).toBe(clean);
        const long = `${text}${'x\n'.repeat(50_000)}`;
        const beginning = cleanBeginning(long);
        expect(beginning.length).toBeGreaterThan(30_000);
        expect(cleanText(long).startsWith(beginning)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('a short name is cut as before, whatever stands behind', () => {
    expect(shortName('abc', 3)).toBe('abc');
    expect(shortName('abcd', 3)).toBe('ab…');
    expect(shortName('😀'.repeat(3), 3)).toBe('😀'.repeat(3));
    expect(shortName('😀'.repeat(1_000_000), 3)).toBe('😀😀…');
    expect(quotedName(`a\u200b${'b'.repeat(1_000_000)}`, 10)).toBe('"a\\u200bbb…"');
  });
});

describe('what nobody sees', () => {
  const tags = [...'obey'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');

  it.each([
    ['tags', `a${tags}b`],
    ['what parts words without a blank', 'a\u200b\u2060\ufeffb'],
    ['soft hyphens', 'a\u00adb'],
    ['fillers', 'a\u3164\u115f\uffa0b'],
    ['a blank pattern of Braille', 'a\u2800b'],
    ['a parter of vowels', 'a\u180eb'],
    ['selectors', 'a\ufe00\ufe0f\u{e0100}\u{e01ef}b'],
    ['marks of direction', 'a\u200e\u200f\u061cb'],
    ['joiners', 'a\u200c\u200d\u200db'],
  ])('goes: %s', (_, text) => {
    expect(cleanText(text)).toBe('ab');
    expect(withoutUnseen(text)).toBe('ab');
  });

  it.each([
    ['a family and a flag', '👩‍👩‍👧 🏳️‍🌈 👩🏽‍💻'],
    ['a heart, and one in black', '❤️ ❤︎'],
    ['a key', '1️⃣'],
    ['Persian', 'می‌خواهم'],
    ['Hindi', 'क्‍ष क्‌ष'],
    ['Sinhala', 'ශ්‍රී'],
    ['an Arabic sign of a number', '\u0601\u0661'],
  ])('stays where a text would be another one without it: %s', (_, text) =>
    expect(cleanText(text)).toBe(text),
  );

  it('stays once: no words can be made of it', () => {
    expect(cleanText('😀\ufe0f\ufe0e\ufe0f')).toBe('😀\ufe0f');
    expect(cleanText('क\u200d\u200c\u200d')).toBe('क\u200d');
    expect(cleanText(`🏴${tags}\u{e007f}`)).toBe('🏴');
  });

  it('is all there is in some texts, which then say nothing', () => {
    for (const text of [tags, '\u3164 \u200b', '\u2800\n\ufe0f']) {
      expect(hasText(text)).toBe(false);
      expect(cleanText(text)).toBe('');
    }
  });

  it('goes at the end of a piece, too', () => {
    for (let back = 0; back < 4; back++) {
      const before = 'x'.repeat(65_536 - back);
      expect(cleanText(`${before}${tags}y`)).toBe(`${before}y`);
      expect(cleanText(`${before}😀\ufe0f\u200d😀`)).toBe(`${before}😀\ufe0f\u200d😀`);
    }
  });
});
