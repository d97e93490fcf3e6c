/** JSON values that were right before a few places in them were changed. */
import { type Json, json, key, scalar } from './json.js';
import type { Random } from './random.js';
import { mutateText } from './texts.js';

const MAX_REPEATED = 20_000;

/** Changes one place or a few; every value in it is as likely to be hit as any other. */
export function mutateJson(random: Random, value: Json): Json {
  let result = value;
  for (let round = random.between(1, 4); round > 0; round--) {
    const place = { left: random.int(sizeOf(result)) };
    result = changedAt(random, result, place);
  }
  return result;
}

/** How many values it holds, itself included. */
function sizeOf(value: Json): number {
  if (value === null || typeof value !== 'object') return 1;
  let size = 1;
  for (const member of Object.values(value)) size += sizeOf(member);
  return size;
}

/** Counts down to the value that is to be changed. */
function changedAt(random: Random, value: Json, place: { left: number }): Json {
  if (place.left-- === 0) return changed(random, value);
  if (value === null || typeof value !== 'object' || place.left < 0) return value;
  if (Array.isArray(value)) return value.map((member) => changedAt(random, member, place));
  // Object.fromEntries, since assigning to __proto__ would set no key.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, changedAt(random, member, place)]),
  );
}

function changed(random: Random, value: Json): Json {
  if (value === null || typeof value !== 'object' || random.oneIn(4)) return instead(random, value);
  return Array.isArray(value) ? changedList(random, value) : changedObject(random, value);
}

function changedList(random: Random, list: Json[]): Json {
  const at = random.int(list.length);
  const change = random.int(3);
  if (list.length === 0 || change === 0) return [...list, json(random, 2)];
  return change === 1 ? list.toSpliced(at, 1) : [...list, ...repeated(random, list[at] ?? null)];
}

/** Repetitions of repetitions would grow without bound. */
function repeated(random: Random, value: Json): Json[] {
  const most = Math.ceil(MAX_REPEATED / JSON.stringify(value).length);
  return Array.from({ length: Math.min(most, random.size(200)) }, () => value);
}

function changedObject(random: Random, from: { [key: string]: Json }): Json {
  const entries = Object.entries(from);
  const at = random.int(entries.length);
  const [, member = null] = entries[at] ?? [];
  const change = random.int(3);
  if (entries.length === 0 || change === 0)
    return Object.fromEntries([...entries, [key(random), json(random, 2)]]);
  return Object.fromEntries(
    change === 1 ? entries.toSpliced(at, 1) : entries.with(at, [key(random), member]),
  );
}

/** Objects that are no texts, and break whoever takes them for one without looking. */
const POISON: readonly Json[] = [
  { toString: 1 },
  { toString: null, valueIn: null },
  { length: -1 },
  { length: 1e9 },
  JSON.parse('{"then":"x"}') as Json,
  { toJSON: 1 },
  { constructor: { name: 'x' } },
  JSON.parse('{"__proto__":{"x":1}}') as Json,
  [[]],
  {},
  [],
];

function instead(random: Random, value: Json): Json {
  if (random.oneIn(6)) return random.pick(POISON);
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
