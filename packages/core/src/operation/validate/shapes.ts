/** Small checks and patterns that the validators share. */
import { parseTimestamp } from '../../envelope/json/rfc3339.js';

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
export const isWhole = (value: unknown, min = 0): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= min;

const matches =
  (pattern: RegExp) =>
  (value: unknown): value is string =>
    typeof value === 'string' && pattern.test(value);

export const isAlias = matches(/^[A-Za-z][A-Za-z0-9_-]{1,127}$/);
export const isStepId = matches(/^[A-Za-z][A-Za-z0-9_-]*$/);
export const isIdentifier = matches(/^[A-Za-z_][A-Za-z0-9_]*$/);
export const isAddress = matches(/^0x[a-fA-F0-9]{40}$/);
export const isBytes32 = matches(/^0x[a-fA-F0-9]{64}$/);
export const isHexData = matches(/^0x(?:[a-fA-F0-9]{2})*$/);
export const isRunnerPlaceholder = matches(/^\[[A-Za-z][A-Za-z0-9_]*\]$/);

const PLACEHOLDER = /^cm:xrc137:([A-Za-z][A-Za-z0-9_-]{1,127})$/;
export const isPlaceholder = matches(PLACEHOLDER);

/** The alias in `cm:xrc137:<alias>`. */
export function aliasOf(value: unknown): string | undefined {
  return typeof value === 'string' ? PLACEHOLDER.exec(value)?.[1] : undefined;
}

export const isDateTime = (value: unknown): value is string =>
  typeof value === 'string' && parseTimestamp(value) !== undefined;

export const XRC_TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'bool',
  'int64',
  'uint64',
  'double',
  'decimal',
  'timestamp_ms',
  'duration_ms',
  'uuid',
  'address',
  'bytes',
  'bytes32',
  'uint256',
  'int256',
]);

/** Own members only: `constructor` is no step. */
export function member(value: unknown, key: string): unknown {
  return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const keysOf = (value: unknown): readonly string[] => (isFields(value) ? Object.keys(value) : []);
