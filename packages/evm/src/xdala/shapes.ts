/** Names, references and types of XRC documents. */
import { matches } from '../shapes.js';

export const isAlias = matches(/^[A-Za-z][A-Za-z0-9_-]{1,127}$/);
export const isStepId = matches(/^[A-Za-z][A-Za-z0-9_-]*$/);
export const isIdentifier = matches(/^[A-Za-z_][A-Za-z0-9_]*$/);
export const isRunnerPlaceholder = matches(/^\[[A-Za-z][A-Za-z0-9_]*\]$/);

const PLACEHOLDER = /^cm:xrc137:([A-Za-z][A-Za-z0-9_-]{1,127})$/;
export const isPlaceholder = matches(PLACEHOLDER);

/** The alias in `cm:xrc137:<alias>`. */
export function aliasOf(value: unknown): string | undefined {
  return typeof value === 'string' ? PLACEHOLDER.exec(value)?.[1] : undefined;
}

/** The types that a field of a rule may have. */
export const XRC_TYPES = [
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
] as const;

const KNOWN_TYPES: ReadonlySet<unknown> = new Set(XRC_TYPES);
export const isXrcType = (value: unknown): boolean => KNOWN_TYPES.has(value);
