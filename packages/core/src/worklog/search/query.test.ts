import { describe, expect, it } from 'vitest';
import { type Query, readQuery } from './query.js';

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
    ['ΟΔΟΣ', ['οδοσ']],
  ])('%j is %j', (text, parts) => expect(query(text)).toEqual({ parts }));

  it.each(['', '   ', '""', '" "', '"a', 'a "b" "'])('%j is none', (text) =>
    expect(readQuery(text)).toHaveProperty('flaw'),
  );
});
