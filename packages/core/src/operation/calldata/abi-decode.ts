/**
 * Reads ABI-encoded values. It stops at the first thing that is not as it should be, and at a budget: offsets may point
 * anywhere, so a few hundred bytes could otherwise describe lists without end.
 */
import { fromHex } from '../abi.js';
import type { TextCodec } from './abi-encode.js';
import { type AbiType, type AbiValue, headWords, isDynamic, type WordType } from './abi-type.js';

const WORD = 64;
const MAX_VALUES = 5_000;

interface Reading {
  readonly hex: string;
  readonly codec: TextCodec;
  left: number;
}

/** `hex` without 0x. Undefined when it does not hold these values. */
export function decodeValues(
  types: readonly AbiType[],
  hex: string,
  codec: TextCodec,
): readonly AbiValue[] | undefined {
  return readAll(types, 0, { hex: hex.toLowerCase(), codec, left: MAX_VALUES });
}

/** `base` is where their heads begin, in hex digits. */
function readAll(types: readonly AbiType[], base: number, reading: Reading): readonly AbiValue[] | undefined {
  const values: AbiValue[] = [];
  let head = base;
  for (const type of types) {
    reading.left -= 1;
    if (reading.left < 0) return undefined;
    const value = isDynamic(type) ? readBehind(type, head, base, reading) : readAt(type, head, reading);
    if (value === undefined) return undefined;
    values.push(value);
    head += headWords(type) * WORD;
  }
  return values;
}

function readBehind(type: AbiType, head: number, base: number, reading: Reading): AbiValue | undefined {
  const offset = sizeAt(head, reading);
  return offset === undefined ? undefined : readAt(type, base + offset * 2, reading);
}

function readAt(type: AbiType, at: number, reading: Reading): AbiValue | undefined {
  switch (type.kind) {
    case 'string': {
      const bytes = bytesAt(at, reading);
      return bytes === undefined ? undefined : reading.codec.text(fromHex(bytes));
    }
    case 'bytes': {
      const bytes = bytesAt(at, reading);
      return bytes === undefined ? undefined : `0x${bytes}`;
    }
    case 'tuple':
      return readAll(type.items, at, reading);
    case 'array':
      return readArray(type, at, reading);
    case 'address':
    case 'bool':
    case 'uint':
    case 'int':
    case 'fixed-bytes':
      return readWord(type, wordAt(at, reading));
  }
}

function readArray(
  { of, length }: Extract<AbiType, { kind: 'array' }>,
  at: number,
  reading: Reading,
): AbiValue | undefined {
  const count = length ?? sizeAt(at, reading);
  if (count === undefined || count > reading.left) return undefined;
  const types = Array.from({ length: count }, () => of);
  return readAll(types, length === undefined ? at + WORD : at, reading);
}

function readWord(type: WordType, word: string | undefined): AbiValue | undefined {
  if (word === undefined) return undefined;
  switch (type.kind) {
    case 'address':
      return word.startsWith('0'.repeat(24)) ? `0x${word.slice(24)}` : undefined;
    case 'bool':
      return /^0{63}[01]$/.test(word) ? word.endsWith('1') : undefined;
    case 'fixed-bytes': {
      const [value, rest] = [word.slice(0, type.size * 2), word.slice(type.size * 2)];
      return /^0*$/.test(rest) ? `0x${value}` : undefined;
    }
    case 'uint': {
      const value = BigInt(`0x${word}`);
      return value < 1n << BigInt(type.bits) ? value.toString() : undefined;
    }
    case 'int': {
      const value = BigInt.asIntN(256, BigInt(`0x${word}`));
      return BigInt.asIntN(type.bits, value) === value ? value.toString() : undefined;
    }
  }
}

function wordAt(at: number, { hex }: Reading): string | undefined {
  const word = hex.slice(at, at + WORD);
  return word.length === WORD ? word : undefined;
}

/** An offset or a length: more than the data is long means nothing. */
function sizeAt(at: number, reading: Reading): number | undefined {
  const word = wordAt(at, reading);
  if (word === undefined || !/^0{52}/.test(word)) return undefined;
  const size = Number.parseInt(word, 16);
  return size * 2 <= reading.hex.length ? size : undefined;
}

function bytesAt(at: number, reading: Reading): string | undefined {
  const length = sizeAt(at, reading);
  if (length === undefined) return undefined;
  const bytes = reading.hex.slice(at + WORD, at + WORD + length * 2);
  return bytes.length === length * 2 ? bytes : undefined;
}
