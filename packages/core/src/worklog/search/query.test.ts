import { describe, expect, it } from 'vitest';
import { findIn, type Query, readQuery, SNIPPET_CHARACTERS } from './query.js';

const query = (text: string): Query => {
  const read = readQuery(text);
  if ('flaw' in read) throw new Error(read.flaw);
  return read;
};

describe('a query', () => {
  it.each([
    ['nightly import', ['nightly', 'import']],
    ['  Nightly\tNIGHTLY ', ['nightly']],
    ['"pool size" lock', ['pool size', 'lock']],
    ['ｆｕｌｌ ﬁle', ['full', 'file']],
    ['"a"b', ['a', 'b']],
  ])('%j is %j', (text, parts) => expect(query(text)).toEqual({ parts }));

  it.each(['', '   ', '""', '" "', '"a', 'a "b" "'])('%j is none', (text) =>
    expect(readQuery(text)).toHaveProperty('flaw'),
  );
});

describe('searching', () => {
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
});
