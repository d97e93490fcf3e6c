/** JSON values of any form. */
import type { Random } from './random.js';
import { HOSTILE, text, word } from './texts.js';

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

/** Undefined for a text that is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
