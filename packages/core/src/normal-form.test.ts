import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalForm, partingPlace } from './normal-form.js';

const FORMS = ['NFC', 'NFKC', 'NFKD'] as const;
const pieces = fc.constantFrom(
  ...[
    'a',
    'é',
    'e\u0301',
    '\u0316',
    '\u0345',
    'ﬁ',
    '\ufdfa',
    '\u1112\u1161\u11ab',
    '가',
    '\uff76\uff9e',
    '\u3131\u314f',
    '😀',
    '\u{1d15e}',
    '\u0e33',
  ],
);
const texts = fc.array(pieces, { maxLength: 29 }).map((parts) => parts.join(''));

describe('hardening:H1 the normal form of a text', () => {
  it('is the one of the language, in whatever writing', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const form of FORMS) expect(normalForm(text, form)).toBe(text.normalize(form));
      }),
      { numRuns: 2_000 },
    );
  });

  it('of more marks than any letter has is made of every thirty', () => {
    const marks = '\u0345\u0301\u0316'.repeat(10);
    const made = normalForm(`x${marks.repeat(3)}y`, 'NFKC');
    const [first, other] = [`x${marks}`.normalize('NFKC'), marks.normalize('NFKC')];
    expect(made).toBe(`${first}${other}${other}y`);
  });

  it('is made of its parts, wherever it may be parted', () => {
    fc.assert(
      fc.property(texts, fc.nat(), (text, at) => {
        const place = partingPlace(text, text === '' ? 0 : at % (text.length + 1));
        for (const form of FORMS)
          expect(text.slice(0, place).normalize(form) + text.slice(place).normalize(form)).toBe(
            text.normalize(form),
          );
      }),
      { numRuns: 2_000 },
    );
  });

  it('no letter of the Unicode of this runtime is parted from one that it becomes one with', () => {
    const all = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code));
    const composed = all.filter((one) => one.normalize('NFC') === one && one.normalize('NFD') !== one);
    const second = new Set(composed.flatMap((one) => [...one.normalize('NFD')].slice(1)));
    const joining = all.filter((one) => {
      const [first = ''] = one.normalize('NFKD');
      return second.has(first) || /\p{M}/u.test(first);
    });
    expect(joining.filter((one) => partingPlace(`a${one}a`, 1) === 1)).toEqual([]);
  });
});
