import { expect, it } from 'vitest';
import { block, mergeKeys } from './rules-reading.js';

const one = { commitment: { authority: null, one: null }, audit: { level: null } };
const two = { commitment: { authority: null, two: null }, voting: { weights: null } };

it('a policy for every mode may use the keys of each, at every level', () => {
  expect(mergeKeys(one, two)).toEqual({
    commitment: { authority: null, one: null, two: null },
    audit: { level: null },
    voting: { weights: null },
  });
  const flaws: string[] = [];
  block('commitment', { commitment: { one: 1, two: 2, three: 3 } }, mergeKeys(one, two), flaws);
  expect(flaws).toEqual(['commitment has an unknown key "three" (known: authority, one, two)']);
});

it('closed keys stay closed where the other side is open, and open where both are', () => {
  expect(mergeKeys({ a: null }, { a: { b: null } })).toEqual({ a: { b: null } });
  expect(mergeKeys({ a: null }, { a: null })).toEqual({ a: null });
});
