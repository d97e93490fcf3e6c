/** One text to a contract, and what a contract answers: a text, an address, addresses, a word. */
import { decode, encode } from 'ox/AbiParameters';
import * as Hex from 'ox/Hex';

const MAX_ADDRESSES = 10_000;

/** One dynamic text, as arguments or as a constructor's; without 0x. */
export function encodeText(text: string): string {
  return encode([{ type: 'string' }], [text]).slice(2);
}

/** `selector` without 0x. */
export function textCall(selector: string, text: string): `0x${string}` {
  return `0x${selector}${encodeText(text)}`;
}

/** Undefined when the answer is not one ABI text. */
export function decodeText(data: string): string | undefined {
  return quietly(() => {
    const [bytes] = decode([{ type: 'bytes' }], hexOf(data));
    const text = Hex.toString(bytes);
    // The library replaces what is not UTF-8.
    return Hex.fromString(text) === bytes ? text : undefined;
  });
}

export function decodeAddress(data: string): string | undefined {
  return quietly(() => {
    const [address] = decode([{ type: 'address' }], hexOf(data), { checksumAddress: false });
    return beginsWith(data, encode([{ type: 'address' }], [address])) ? address : undefined;
  });
}

export function decodeAddresses(data: string): readonly string[] | undefined {
  return quietly(() => {
    const [addresses] = decode([{ type: 'address[]' }], hexOf(data), { checksumAddress: false });
    const isExact = beginsWith(data, encode([{ type: 'address[]' }], [addresses]));
    return isExact && addresses.length <= MAX_ADDRESSES ? addresses : undefined;
  });
}

export function decodeWord(data: string): string | undefined {
  return quietly(() => decode([{ type: 'bytes32' }], hexOf(data))[0]);
}

const hexOf = (data: string): `0x${string}` => `0x${data.slice(2)}`;

/** The library ignores bits before an address: encoding it again shows them. */
const beginsWith = (data: string, encoded: string): boolean => data.toLowerCase().startsWith(encoded);

/** The library throws for what it cannot read. */
function quietly<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
