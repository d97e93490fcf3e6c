import { expect, it } from 'vitest';
import { SparseLines } from './sparse-lines.js';

it('lets one line through for each subject in its time, and counts the others', () => {
  let now = 0;
  const lines = new SparseLines(10_000, () => now);
  expect(['a', 'a', 'b', 'a'].map((subject) => lines.take(subject))).toEqual([0, undefined, 0, undefined]);
  now = 10_000;
  expect([lines.take('a'), lines.take('b'), lines.take('a')]).toEqual([2, 0, undefined]);
});
