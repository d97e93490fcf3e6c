/**
 * The checks of arguments that need nothing of core: a program that wants an id or a credential alone is spared the rest.
 * Each throws MacpSessionError that names the argument.
 */
import { MacpSessionError } from './errors.js';

/** What a timer of Node can wait; a longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

export function fail(argument: string, what: string): never {
  throw new MacpSessionError(`${argument} ${what}`, argument);
}

/** An object with the arguments of a call, or with the options of one: programs without types forget them. */
export function given<T extends object>(name: string, value: T): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    fail(name, value === undefined ? 'is missing' : 'must be an object');
  return value;
}

/** Which names an object of options may have: a list that the compiler keeps complete. */
export type Names<T> = Readonly<Record<keyof T, true>>;

/** A misspelt option would be left out without a word. What is undefined says nothing, under any name. */
export function onlyNamed<T extends object>(name: string, value: T, names: Names<T>): T {
  for (const [key, said] of Object.entries(given(name, value)))
    if (said !== undefined && !Object.hasOwn(names, key))
      fail(key, `is not known in ${name}: they are ${Object.keys(names).join(', ')}`);
  return value;
}

/** Texts that may be empty, or left out, by their names. Half of a surrogate pair would arrive as another letter. */
export function validateTexts(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (typeof value !== 'string') fail(name, 'must be a text');
    if (/\p{Cs}/u.test(value)) fail(name, 'has half of a surrogate pair');
  }
}

/** A text that may not be missing or blank. */
export function validateRequiredField(name: string, value: string | undefined): void {
  if (typeof value !== 'string' || value.trim() === '') fail(name, 'is missing or blank');
  validateTexts({ [name]: value });
}

/** True or false, or left out. */
export function validateFlag(name: string, value: boolean | undefined): void {
  if (value !== undefined && typeof value !== 'boolean') fail(name, 'must be true or false');
}

/** How long a caller waits, in milliseconds; what is left out has no end. Timers of Node hold no more. */
export function validateTimeout(name: string, ms: number | undefined): void {
  if (ms !== undefined && !(typeof ms === 'number' && ms > 0 && ms <= MAX_TIMER_MS))
    fail(name, `must be a number of milliseconds above 0, at most ${MAX_TIMER_MS}`);
}

/** What gives a call up; anything else would never fire. */
export function validateSignal(signal: AbortSignal | undefined): void {
  if (signal !== undefined && !(signal instanceof AbortSignal)) fail('signal', 'must be an AbortSignal');
}

/** Something that is called. */
export function validateFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') fail(name, 'must be a function');
}
