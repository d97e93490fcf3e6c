/** hardening:H1: a text that may be the JSON of a list of texts is looked at before it is parsed. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { parsesDuring } from '../../../../../test/hardening/support/parses.js';
import { lenientArguments } from './lenient-arguments.js';

const tool = { input: z.strictObject({ next: z.array(z.string()) }) };
const meant = async (next: string) =>
  parsesDuring(async () => lenientArguments(tool as never, { next }).next as readonly string[]);

// What is declared is worked out once.
lenientArguments(tool as never, {});

it.each([
  ['lists in one another', '['.repeat(1_000_000)],
  ['lists in one another that end', '['.repeat(1_000) + ']'.repeat(1_000)],
  ['objects', `[${'{"a":'.repeat(200_000)}`],
  ['more items than a text that is taken has room for', `[${'"",'.repeat(300_000)}""]`],
])('%s are never parsed, and are one text', async (_, text) => {
  const { value, parses } = await meant(text);
  expect(value).toEqual([text]);
  expect(parses.count).toBe(0);
});

it('a list of few long texts is parsed', async () => {
  const items = Array.from({ length: 200 }, (_, i) => `${i}${'[x], '.repeat(1_000)}`);
  const { value, parses } = await meant(JSON.stringify(items));
  expect(value).toEqual(items);
  expect(parses.count).toBe(1);
});
