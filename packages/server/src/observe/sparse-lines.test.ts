import { expect, it } from 'vitest';
import { SparseLines } from './sparse-lines.js';

it('gives no more lines to whoever can choose its subject than there may be subjects', () => {
  let now = 0;
  const lines = new SparseLines(10_000, () => now);
  const said = (count: number) =>
    Array.from({ length: count }, (_, n) => lines.take(`address ${now} ${n}`)).filter(
      (one) => one !== undefined,
    );
  expect(said(5_000)).toHaveLength(1_000);
  now = 10_000;
  expect(said(5_000)).toHaveLength(1_000);
});

it('lets one line through for each subject in its time, and counts the others', () => {
  let now = 0;
  const lines = new SparseLines(10_000, () => now);
  expect(['a', 'a', 'b', 'a'].map((subject) => lines.take(subject))).toEqual([0, undefined, 0, undefined]);
  now = 10_000;
  expect([lines.take('a'), lines.take('b'), lines.take('a')]).toEqual([2, 0, undefined]);
});
