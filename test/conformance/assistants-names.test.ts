/** Whoever looks for a test of the specification finds it by its name in what a run prints. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ASSISTANT_TESTS } from './assistants-names.js';
import { testFiles } from './cited-ids.js';
import { titlesIn } from './test-titles.js';

const asked = Object.values(ASSISTANT_TESTS).flatMap((names) => names.split(' '));

it('every test that the specification of assistants names has its name in a title', () => {
  const titled = new Set(
    [...testFiles()]
      .map((file) => readFileSync(file, 'utf8'))
      .filter((source) => source.includes('assistants:'))
      .flatMap(titlesIn)
      .flatMap((title) => [...title.matchAll(/assistants:([A-Z]\d+[a-z]?)\b/g)].map(([, name = '']) => name)),
  );
  expect(new Set(asked).size).toBe(asked.length);
  expect(asked.filter((name) => !titled.has(name))).toEqual([]);
  expect([...titled].filter((name) => !asked.includes(name))).toEqual([]);
});

it('a name counts in a title alone', () => {
  const source =
    "/** A1 */ it.each([1])('B2 %i', () => { const x = 'C3'; helper('D4'); }); describe(`E5`, f);";
  expect(titlesIn(source)).toEqual(["'B2 %i'", '`E5`']);
});
