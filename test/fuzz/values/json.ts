/** JSON values of any form, and JSON values that were right before one place in them was changed. */
import type { Random } from './random.js';
import { HOSTILE, mutateText, text, word } from './texts.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export const NUMBERS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  1.5,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 53 - 1,
  -(2 ** 53),
  1e21,
  1e308,
  5e-324,
  255,
  256,
  65_536,
];

/** No door lets anything through that is deeper. */
const MAX_DEPTH = 1_000;

export function scalar(random: Random): Json {
  const kind = random.int(5);
  if (kind === 0) return null;
  if (kind === 1) return random.oneIn(2);
  if (kind === 2) return random.oneIn(2) ? random.pick(NUMBERS) : random.between(-1_000, 1_000);
  return kind === 3 ? word(random) : text(random, 200);
}

export function json(random: Random, depth = 4): Json {
  if (depth === 0 || random.oneIn(3)) return scalar(random);
  if (random.oneIn(40)) return deep(random.between(30, MAX_DEPTH), random);
  const length = random.size(8);
  if (random.oneIn(2)) return Array.from({ length }, () => json(random, depth - 1));
  return Object.fromEntries(Array.from({ length }, () => [key(random), json(random, depth - 1)]));
}

export function key(random: Random): string {
  return random.oneIn(3) ? random.pick(HOSTILE) : word(random);
}

/** Lists or objects inside one another. */
export function deep(levels: number, random: Random): Json {
  const isList = random.oneIn(2);
  let value: Json = scalar(random);
  for (let level = 0; level < levels; level++) value = isList ? [value] : { a: value };
  return value;
}

/** Changes one to three places; the rest stays as it was. */
export function mutateJson(random: Random, value: Json): Json {
  let result = value;
  for (let round = random.between(1, 3); round > 0; round--) result = changed(random, result);
  return result;
}

function changed(random: Random, value: Json): Json {
  if (value === null || typeof value !== 'object' || random.oneIn(12)) return instead(random, value);
  return Array.isArray(value) ? changedList(random, value) : changedObject(random, value);
}

function changedList(random: Random, list: Json[]): Json {
  const at = random.int(list.length);
  const change = random.int(8);
  if (list.length === 0 || change === 0) return [...list, json(random, 2)];
  if (change === 1) return list.toSpliced(at, 1);
  if (change === 2) return [...list, ...Array.from({ length: random.size(200) }, () => list[at] ?? null)];
  return list.with(at, changed(random, list[at] ?? null));
}

function changedObject(random: Random, from: { [key: string]: Json }): Json {
  const entries = Object.entries(from);
  const at = random.int(entries.length);
  const [name = '', member = null] = entries[at] ?? [];
  const change = random.int(10);
  // Object.fromEntries, since assigning to __proto__ would set no key.
  if (entries.length === 0 || change === 0)
    return Object.fromEntries([...entries, [key(random), json(random, 2)]]);
  if (change === 1) return Object.fromEntries(entries.toSpliced(at, 1));
  if (change === 2) return Object.fromEntries(entries.with(at, [key(random), member]));
  return Object.fromEntries(entries.with(at, [name, changed(random, member)]));
}

function instead(random: Random, value: Json): Json {
  if (typeof value === 'string' && random.oneIn(2)) return mutateText(random, value);
  if (typeof value === 'number' && random.oneIn(2))
    return random.pick([value + 1, -value, value * 1e6, value / 3]);
  return random.oneIn(6) ? json(random, 3) : scalar(random);
}

/** The text of a value, now and then damaged so that it is JSON no more. */
export function jsonText(random: Random, value: Json): string {
  const written = JSON.stringify(value);
  return random.oneIn(6) ? mutateText(random, written) : written;
}
