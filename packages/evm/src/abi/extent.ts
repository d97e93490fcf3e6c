/**
 * Whether data can hold values of these types, and how many, found out before any of them is decoded.
 *
 * E1. More than 5,000 values, with lists and tuples counted too, are too long to explain.
 * E2. No word counts twice. Offsets may point anywhere, so a few hundred bytes could describe lists without end; what an
 *     encoder writes never shares a word.
 * E3. The work is bounded by the length of the data.
 */
import { type AbiType, headWords, isDynamic } from './abi-type.js';

const WORD = 64;
export const MAX_VALUES = 5_000;

export type Extent = 'readable' | 'too-long' | 'malformed';

interface Walk {
  readonly hex: string;
  wordsLeft: number;
  valuesLeft: number;
}

/** `hex` without 0x. */
export function extentOf(types: readonly AbiType[], hex: string): Extent {
  return walkAll(types, 0, { hex, wordsLeft: Math.floor(hex.length / WORD), valuesLeft: MAX_VALUES });
}

/** `base` is where their heads begin, in hex digits. */
function walkAll(types: readonly AbiType[], base: number, walk: Walk): Extent {
  let head = base;
  for (const type of types) {
    walk.valuesLeft -= 1;
    if (walk.valuesLeft < 0) return 'too-long';
    const extent = isDynamic(type) ? walkBehind(type, head, base, walk) : walkAt(type, head, walk);
    if (extent !== 'readable') return extent;
    head += headWords(type) * WORD;
  }
  return 'readable';
}

function walkBehind(type: AbiType, head: number, base: number, walk: Walk): Extent {
  const offset = sizeAt(head, walk);
  return offset === undefined ? 'malformed' : walkAt(type, base + offset * 2, walk);
}

function walkAt(type: AbiType, at: number, walk: Walk): Extent {
  switch (type.kind) {
    case 'string':
    case 'bytes': {
      const length = sizeAt(at, walk);
      return length !== undefined && spend(Math.ceil(length / 32), walk) ? 'readable' : 'malformed';
    }
    case 'tuple':
      return walkAll(type.items, at, walk);
    case 'array':
      return walkArray(type, at, walk);
    case 'address':
    case 'bool':
    case 'uint':
    case 'int':
    case 'fixed-bytes':
      return spend(1, walk) ? 'readable' : 'malformed';
  }
}

function walkArray({ of, length }: Extract<AbiType, { kind: 'array' }>, at: number, walk: Walk): Extent {
  const count = length ?? sizeAt(at, walk);
  if (count === undefined || count * headWords(of) > walk.wordsLeft) return 'malformed';
  const types = Array.from({ length: count }, () => of);
  return walkAll(types, length === undefined ? at + WORD : at, walk);
}

/** An offset or a length; undefined when it is larger than the data. */
function sizeAt(at: number, walk: Walk): number | undefined {
  const word = walk.hex.slice(at, at + WORD);
  if (word.length !== WORD || !/^0{52}[0-9a-f]{12}$/i.test(word) || !spend(1, walk)) return undefined;
  const size = Number.parseInt(word, 16);
  return size * 2 <= walk.hex.length ? size : undefined;
}

function spend(words: number, walk: Walk): boolean {
  walk.wordsLeft -= words;
  return walk.wordsLeft >= 0;
}
