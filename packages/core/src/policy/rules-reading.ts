/**
 * The parts of rule readers. Each function adds what is wrong to `flaws`, with its path, and goes on with a
 * default. Unknown keys are refused: a mistyped time-out is dangerous. Keys that begin with _ or $ are notes: they may
 * stand wherever keys are checked, and nothing reads them (docs/spec/macp-2026.md 6.2).
 */
import { isFields } from '../fields.js';
import type { Json, JsonObject } from '../log/json.js';
import { cited, isId } from '../text.js';

/** The keys that rules may have, in the order in which a refusal lists them; below `null` everything is allowed. */
export interface RuleKeys {
  readonly [key: string]: RuleKeys | null;
}

/** The keys of both. */
export function mergeKeys(a: RuleKeys, b: RuleKeys): RuleKeys {
  const merged: Record<string, RuleKeys | null> = { ...a };
  for (const [key, below] of Object.entries(b)) {
    const known = merged[key];
    merged[key] = known && below ? mergeKeys(known, below) : (known ?? below);
  }
  return merged;
}

const MOST_FLAWS = 10;
const MOST_KEYS = MOST_FLAWS - 1;

/** An object inside the rules; empty when it is not there. */
export function block(
  name: string,
  rules: JsonObject,
  keys: RuleKeys,
  flaws: string[],
  path = name,
): JsonObject {
  const value = rules[name];
  if (value === undefined) return {};
  if (!isFields(value)) {
    flaws.push(`${path} must be an object`);
    return {};
  }
  const known = keys[name];
  if (known) unknownKeys(path, value, known, flaws);
  return value;
}

export function unknownKeys(path: string, value: JsonObject, keys: RuleKeys, flaws: string[]): void {
  const known = Object.keys(keys);
  const unknown = Object.keys(value).filter((key) => !known.includes(key) && !isNote(key));
  for (const key of unknown.slice(0, MOST_KEYS)) flaws.push(unknownKey(path, key, known));
  const left = unknown.length - MOST_KEYS;
  if (left > 0) flaws.push(`${path} has ${left} more keys that are not known`);
}

/** As many as anybody reads: each repeats what is known, and a request may be wrong in thousands of places. */
export function fewFlaws(flaws: readonly string[]): readonly string[] {
  const left = flaws.length - MOST_FLAWS;
  return left > 0 ? [...flaws.slice(0, MOST_FLAWS), `and ${left} more`] : flaws;
}

function unknownKey(path: string, key: string, known: readonly string[]): string {
  const list = `(known: ${known.join(', ')})`;
  return VENDOR_KEY.test(key)
    ? `${path} has ${cited(key)}, an extension that is not known here ${list}`
    : `${path} has an unknown key ${cited(key)} ${list}`;
}

/** A rule that some other server has. Ignoring one would be unsafe: it may only restrict. */
const VENDOR_KEY = /^x-[a-z0-9]+(\.[a-z0-9-]+)+$/;
const isNote = (key: string): boolean => key.startsWith('_') || key.startsWith('$');

export function flag(path: string, value: Json | undefined, flaws: string[]): boolean {
  if (value !== undefined && typeof value !== 'boolean') flaws.push(`${path} must be true or false`);
  return value === true;
}

export function milliseconds(path: string, value: Json | undefined, flaws: string[]): number {
  if (value === undefined) return 0;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  flaws.push(`${path} must be a whole number of milliseconds, 0 or more`);
  return 0;
}

export interface Range {
  readonly default: number;
  readonly min: number;
  readonly max?: number;
  /** The smallest value itself is not allowed. */
  readonly above?: boolean;
}

export function number(path: string, value: Json | undefined, range: Range, flaws: string[]): number {
  if (value === undefined) return range.default;
  if (typeof value === 'number' && isWithin(value, range)) return value;
  flaws.push(`${path} must be a number ${rangeText(range)}`);
  return range.default;
}

export function wholeNumber(path: string, value: Json | undefined, range: Range, flaws: string[]): number {
  if (value === undefined) return range.default;
  if (typeof value === 'number' && Number.isSafeInteger(value) && isWithin(value, range)) return value;
  flaws.push(`${path} must be a whole number ${rangeText(range)}`);
  return range.default;
}

function isWithin(value: number, { min, max = Number.MAX_VALUE, above }: Range): boolean {
  return (above ? value > min : value >= min) && value <= max;
}

function rangeText({ min, max, above }: Range): string {
  const from = above ? `above ${min}` : `of ${min} or more`;
  return max === undefined ? from : `${from}, at most ${max}`;
}

/** One of a closed set of words, of which the first is the default. */
export function choice<const W extends readonly [string, ...string[]]>(
  path: string,
  value: Json | undefined,
  words: W,
  flaws: string[],
): W[number] {
  const [first] = words;
  if (value === undefined) return first;
  const found = words.find((word) => word === value);
  if (found === undefined) flaws.push(`${path} must be one of ${words.join(', ')}`);
  return found ?? first;
}

export function senderIds(path: string, value: Json | undefined, flaws: string[]): readonly string[] {
  if (value === undefined) return [];
  const ids: string[] = [];
  if (Array.isArray(value)) {
    for (const id of value) if (typeof id === 'string' && isId(id)) ids.push(id);
    if (ids.length === value.length) return ids;
  }
  flaws.push(`${path} must be a list of sender ids`);
  return [];
}
