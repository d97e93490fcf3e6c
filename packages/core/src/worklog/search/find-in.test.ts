import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findIn as finding } from './find-in.js';
import { folded, PIECE } from './folded.js';
import { type Query, readQuery } from './query.js';
import { SNIPPET_CHARACTERS } from './snippet.js';

const query = (text: string): Query => {
  const read = readQuery(text);
  if ('flaw' in read) throw new Error(read.flaw);
  return read;
};

function findIn(text: string, wanted: Query): string | undefined {
  const pieces = finding(text, wanted);
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

describe('assistants:1.6 searching', () => {
  it('finds only where all parts occur, in any order and form', () => {
    expect(findIn('The Import runs nightly.', query('nightly import'))).toBe('The Import runs nightly.');
    expect(findIn('The Import runs.', query('nightly import'))).toBeUndefined();
    expect(findIn('pool  size', query('"pool size"'))).toBeUndefined();
    expect(findIn('STRASSE', query('straße'))).toBeUndefined();
    expect(findIn('ﬁnal', query('final'))).toBe('ﬁnal');
  });

  it('shows what stands around the first match, on one line, never too much', () => {
    const text = `${'ab '.repeat(200)}\u001b[2Jneedle\n${'cd '.repeat(200)}`;
    const shown = findIn(text, query('needle')) ?? '';
    expect([...shown]).toHaveLength(SNIPPET_CHARACTERS);
    expect(shown).toMatch(/^….* \[2Jneedle .*…$/);
    expect(findIn(`needle ${'x'.repeat(1_000)}`, query('needle'))).toMatch(/^needle x+…$/);
    expect(findIn(`${'x'.repeat(1_000)} needle`, query('needle'))).toMatch(/^…x+ needle$/);
  });

  it('shows the right place where folding changes lengths', () => {
    expect(findIn(`${'ﬁ'.repeat(300)}needle${'ﬃ'.repeat(300)}`, query('needle'))).toContain('needle');
    expect(findIn(`${'😀'.repeat(300)}needle${'😀'.repeat(300)}`, query('needle'))).toContain('needle');
  });

  it('does not ask which of two small letters stands for Σ', () => {
    for (const text of ['ΟΔΟΣ', 'οδος', 'ΟΔΟΣΑ']) expect(findIn(text, query('ΟΔΟΣ'))).toBe(text);
    expect(findIn('οδός', query('ΟΔΌΣ'))).toBe('οδός');
  });

  it('finds what goes over the border of two pieces, and what is one letter there', () => {
    for (let before = PIECE - 12; before <= PIECE + 2; before++) {
      const found = findIn(`${'x'.repeat(before)}the needle!`, query('"the needle"'));
      expect(found).toMatch(/^…x+the needle!$/);
    }
    for (const letter of ['e\u0301', '\u1112\u1161\u11ab', '\uff76\uff9e', '\u{1f600}', 'q\u0323\u0307']) {
      const text = letter.repeat(PIECE);
      expect(findIn(text, query(letter.normalize('NFC')))).toBeDefined();
      const [first = '', ...others] = folded(text).match(new RegExp(folded(letter), 'gu')) ?? [];
      expect(others).toHaveLength(PIECE - 1);
      expect(findIn(text, { parts: [first.repeat(PIECE)] })).toBeDefined();
    }
  });

  it('finds what stands in the whole text, folded, and shows the text from there on', () => {
    const piece = fc.constantFrom(
      'a',
      'B',
      'é',
      'e\u0301',
      'ﬁ',
      '\ufdfa',
      '가',
      '\u1112\u1161',
      '😀',
      ' ',
      'ς',
      'Σ',
      'İ',
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 45 }), (before, said, back) => {
        const whole = `${'-'.repeat(Math.max(0, PIECE - back))}${before}|${said}`;
        const part = folded(`|${said}`);
        const shown = findIn(whole, { parts: [part] }) ?? '';
        expect(shown).toContain('|');
        expect(findIn(whole, { parts: [`${part}never`] })).toBeUndefined();
        expect(findIn(whole, { parts: [part, folded(before)] })).toBeDefined();
      }),
      { numRuns: 300 },
    );
  });

  it('hardening:H1 says after each piece how much it was, and ends where the last part is found', () => {
    const works = [...finding('a'.repeat(1_000_000), query('z'))];
    expect(works.reduce((sum, work) => sum + work, 0)).toBe(1_000_000);
    expect(Math.max(...works)).toBeLessThanOrEqual(PIECE + 64);
    expect([...finding(`needle${'a'.repeat(1_000_000)}`, query('needle'))]).toEqual([]);
  });
});
