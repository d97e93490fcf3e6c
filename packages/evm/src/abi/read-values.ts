/** The values in ABI-encoded data, or why they are not given. */
import { decode, encode } from 'ox/AbiParameters';
import type { AbiType, AbiValue } from './abi-type.js';
import { extentOf } from './extent.js';
import { parameterOf, plainValue } from './parameter.js';

export type ValuesReading =
  | { readonly kind: 'read'; readonly values: readonly AbiValue[] }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'malformed' };

/**
 * `hex` without 0x, in lowercase. Values count only if encoding them again gives the very same bytes: what is shown is then
 * all there is. That also refuses texts which are not UTF-8, and words with bits beyond their type.
 */
export function readValues(types: readonly AbiType[], hex: string): ValuesReading {
  const extent = extentOf(types, hex);
  if (extent !== 'readable') return { kind: extent };
  try {
    const parameters = types.map(parameterOf);
    const values: unknown[] = decode(parameters, `0x${hex}`, { checksumAddress: false });
    if (encode(parameters, values) !== `0x${hex}`) return { kind: 'malformed' };
    return { kind: 'read', values: values.map(plainValue) };
  } catch {
    return { kind: 'malformed' };
  }
}
