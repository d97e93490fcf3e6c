/** The forms that values have on a chain. */
import { checksum, validate } from 'ox/Address';

/** Any case: the letters of agents and wallets need not carry a checksum. */
export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && validate(value, { strict: false });

/**
 * Small and capital letters together carry a checksum (EIP-55). Where it is wrong, a digit was mistyped or made up, and whatever is
 * sent there is lost. All small or all capital letters carry none.
 */
export function isMistyped(value: unknown): boolean {
  if (!isAddress(value)) return false;
  const digits = value.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return false;
  return checksum(value.toLowerCase()) !== value;
}

export const MISTYPED =
  'its capital letters are no valid checksum (EIP-55), so a digit of it is probably wrong: copy the address again from where it came';

/** As people compare it: with the capital letters of its checksum (EIP-55). What is no address stays as it is. */
export const checksummed = (value: string): string =>
  isAddress(value) ? checksum(value as `0x${string}`) : value;

/** A guard for texts of one pattern. */
export const matches =
  (pattern: RegExp) =>
  (value: unknown): value is string =>
    typeof value === 'string' && pattern.test(value);

export const isBytes32 = matches(/^0x[a-fA-F0-9]{64}$/);
export const isHexData = matches(/^0x(?:[a-fA-F0-9]{2})*$/);
