import type { Codec } from '../../envelope/codec.js';
import { toHex } from '../abi.js';
import { type AbiType, type AbiValue, headWords, isDynamic } from './abi-type.js';

export type TextCodec = Pick<Codec, 'utf8' | 'text'>;

const WORD = 64;

/** Hex without 0x; undefined when a value does not fit its type. */
export function encodeValues(
  types: readonly AbiType[],
  values: readonly AbiValue[],
  codec: TextCodec,
): string | undefined {
  if (types.length !== values.length) return undefined;
  const heads: (string | number)[] = [];
  let tail = '';
  for (const [i, type] of types.entries()) {
    const encoded = encodeValue(type, values[i] ?? '', codec);
    if (encoded === undefined) return undefined;
    heads.push(isDynamic(type) ? tail.length / 2 : encoded);
    if (isDynamic(type)) tail += encoded;
  }
  const headBytes = types.reduce((sum, type) => sum + headWords(type) * 32, 0);
  return (
    heads.map((head) => (typeof head === 'number' ? word(BigInt(headBytes + head)) : head)).join('') + tail
  );
}

function encodeValue(type: AbiType, value: AbiValue, codec: TextCodec): string | undefined {
  switch (type.kind) {
    case 'address':
      return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)
        ? value.slice(2).toLowerCase().padStart(WORD, '0')
        : undefined;
    case 'bool':
      return typeof value === 'boolean' ? word(value ? 1n : 0n) : undefined;
    case 'uint':
    case 'int':
      return encodeInteger(type, value);
    case 'fixed-bytes':
      return isHex(value, type.size) ? value.slice(2).toLowerCase().padEnd(WORD, '0') : undefined;
    case 'bytes':
      return isHex(value) ? withLength(value.slice(2).toLowerCase()) : undefined;
    case 'string':
      return typeof value === 'string' ? withLength(toHex(codec.utf8(value))) : undefined;
    case 'array':
      return encodeArray(type, value, codec);
    case 'tuple':
      return Array.isArray(value) ? encodeValues(type.items, value, codec) : undefined;
  }
}

function encodeArray(
  { of, length }: Extract<AbiType, { kind: 'array' }>,
  value: AbiValue,
  codec: TextCodec,
): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (length !== undefined && length !== value.length) return undefined;
  const body = encodeValues(
    value.map(() => of),
    value,
    codec,
  );
  if (body === undefined || length !== undefined) return body;
  return word(BigInt(value.length)) + body;
}

function encodeInteger(
  { kind, bits }: Extract<AbiType, { kind: 'uint' | 'int' }>,
  value: AbiValue,
): string | undefined {
  if (typeof value !== 'string' || !/^-?\d{1,78}$/.test(value)) return undefined;
  const number = BigInt(value);
  const [low, high] =
    kind === 'uint' ? [0n, 1n << BigInt(bits)] : [-(1n << BigInt(bits - 1)), 1n << BigInt(bits - 1)];
  return number >= low && number < high ? word(BigInt.asUintN(256, number)) : undefined;
}

function isHex(value: AbiValue, size?: number): value is string {
  return (
    typeof value === 'string' &&
    /^0x(?:[0-9a-f]{2})*$/i.test(value) &&
    (size === undefined || value.length === 2 + 2 * size)
  );
}

const word = (value: bigint): string => value.toString(16).padStart(WORD, '0');

function withLength(hex: string): string {
  return word(BigInt(hex.length / 2)) + hex.padEnd(Math.ceil(hex.length / WORD) * WORD, '0');
}
