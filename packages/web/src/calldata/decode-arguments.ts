/** ABI decoding of the few types that known functions use. Strict: whatever a compiler would not have made is refused. */
import type { AbiType, AbiValue } from './abi-types.js';

const WORD = 64;

class Malformed extends Error {}

/** Undefined when the bytes are not exactly an encoding of these types. */
export function decodeArguments(types: readonly AbiType[], hex: string): readonly AbiValue[] | undefined {
  try {
    return types.map((type, index) => readAt(type, hex, 0, index * WORD));
  } catch (thrown) {
    if (thrown instanceof Malformed) return undefined;
    throw thrown;
  }
}

function readAt(type: AbiType, hex: string, base: number, at: number): AbiValue {
  if (!isDynamic(type)) return readStatic(type, word(hex, base + at));
  const start = base + offset(hex, base + at);
  if (type === 'string' || type === 'bytes') return readBytes(type, hex, start);
  const element = type.slice(0, -2) as AbiType;
  const length = offset(hex, start, 1);
  if (length * WORD > hex.length - start) throw new Malformed();
  return Array.from({ length }, (_, index) => readAt(element, hex, start + WORD, index * WORD));
}

const isDynamic = (type: AbiType): boolean => type === 'string' || type === 'bytes' || type.endsWith('[]');

function word(hex: string, at: number): string {
  const text = hex.slice(at, at + WORD);
  if (text.length !== WORD) throw new Malformed();
  return text;
}

/** A position or a length; in hex digits unless told otherwise. */
function offset(hex: string, at: number, unit = 2): number {
  const value = BigInt(`0x${word(hex, at)}`);
  if (value > BigInt(hex.length)) throw new Malformed();
  return Number(value) * unit;
}

function readStatic(type: AbiType, text: string): AbiValue {
  const value = BigInt(`0x${text}`);
  if (type === 'address') {
    if (!text.startsWith('0'.repeat(24))) throw new Malformed();
    return `0x${text.slice(24)}`;
  }
  if (type === 'bool') {
    if (value > 1n) throw new Malformed();
    return value === 1n;
  }
  if (type === 'bytes4') return `0x${text.slice(0, 8)}`;
  return type === 'bytes32' ? `0x${text}` : value;
}

function readBytes(type: 'string' | 'bytes', hex: string, start: number): string {
  const length = offset(hex, start);
  const body = hex.slice(start + WORD, start + WORD + length);
  if (body.length !== length) throw new Malformed();
  if (type === 'bytes') return `0x${body}`;
  const bytes = Uint8Array.from(body.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Malformed();
  }
}
