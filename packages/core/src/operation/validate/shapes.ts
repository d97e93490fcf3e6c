/** Small checks of unknown values that every validator shares. */
import { parseTimestamp } from '../../envelope/json/rfc3339.js';
import { isFields } from '../../fields.js';

export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
export const isWhole = (value: unknown, min = 0): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= min;

export const isDateTime = (value: unknown): value is string =>
  typeof value === 'string' && parseTimestamp(value) !== undefined;

/** Reads own members only: an inherited name such as `constructor` gives undefined. */
export function member(value: unknown, key: string): unknown {
  return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const keysOf = (value: unknown): readonly string[] => (isFields(value) ? Object.keys(value) : []);
