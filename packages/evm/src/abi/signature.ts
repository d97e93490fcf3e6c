/**
 * Signatures as agents write them, such as `mint(address to, uint256 id)`. Their text is not trusted: length and depth
 * are limited, and nothing is remembered (the parser that comes with the library keeps every text that it has seen).
 */
import { type AbiType, typeText } from './abi-type.js';

const MAX_TEXT = 2_000;
const MAX_DEPTH = 8;
const MAX_LENGTH = 1_000;

export interface Signature {
  readonly name: string;
  readonly inputs: readonly AbiType[];
  /** In the form that is hashed. */
  readonly canonical: string;
}

/** `transfer(address,uint256)`; names of parameters are allowed. Undefined when it is none. */
export function parseSignature(text: string): Signature | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const [, name, list] = /^(?:function )?([A-Za-z_$][\w$]*)\((.*)\)$/.exec(text.trim()) ?? [];
  const inputs = list === undefined ? undefined : parseList(list, 0);
  if (name === undefined || inputs === undefined) return undefined;
  return { name, inputs, canonical: `${name}(${inputs.map(typeText).join(',')})` };
}

function parseList(text: string, depth: number): readonly AbiType[] | undefined {
  if (text.trim() === '') return [];
  const types: AbiType[] = [];
  for (const part of splitTop(text)) {
    const type = parseType(part.trim(), depth);
    if (type === undefined) return undefined;
    types.push(type);
  }
  return types;
}

/** Splits at the commas outside all brackets. */
function splitTop(text: string): readonly string[] {
  const parts: string[] = [];
  let level = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i];
    if (letter === '(') level += 1;
    else if (letter === ')') level -= 1;
    else if (letter === ',' && level === 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return [...parts, text.slice(from)];
}

function parseType(text: string, depth: number): AbiType | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const [, tuple, word, dimensions = ''] =
    /^(?:(?:tuple)?(\(.*\))|([a-z]+\d*))((?:\[\d{0,4}\])*)(?:\s+(?:calldata|memory|storage|indexed))?(?:\s+[A-Za-z_$][\w$]*)?$/.exec(
      text,
    ) ?? [];
  const base = tuple === undefined ? elementary(word ?? '') : parseTuple(tuple, depth);
  return base && withDimensions(base, dimensions);
}

function parseTuple(text: string, depth: number): AbiType | undefined {
  const items = parseList(text.slice(1, -1), depth + 1);
  return items && items.length > 0 ? { kind: 'tuple', items } : undefined;
}

function withDimensions(base: AbiType, dimensions: string): AbiType | undefined {
  const found = dimensions.match(/\[\d*\]/g) ?? [];
  if (found.length > MAX_DEPTH) return undefined;
  let type = base;
  for (const dimension of found) {
    const digits = dimension.slice(1, -1);
    if (digits !== '' && (Number(digits) === 0 || Number(digits) > MAX_LENGTH)) return undefined;
    type = { kind: 'array', of: type, ...(digits !== '' && { length: Number(digits) }) };
  }
  return type;
}

function elementary(word: string): AbiType | undefined {
  if (word === 'address' || word === 'bool') return { kind: word };
  if (word === 'string' || word === 'bytes') return { kind: word };
  const [, name, digits] = /^(uint|int|bytes)([1-9]\d{0,2})?$/.exec(word) ?? [];
  if (name === 'bytes') {
    const size = Number(digits);
    return size <= 32 ? { kind: 'fixed-bytes', size } : undefined;
  }
  if (name !== 'uint' && name !== 'int') return undefined;
  const bits = digits === undefined ? 256 : Number(digits);
  return bits % 8 === 0 && bits <= 256 ? { kind: name, bits } : undefined;
}
