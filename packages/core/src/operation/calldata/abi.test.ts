import fc from 'fast-check';
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters, toFunctionSelector } from 'viem';
import { describe, expect, it } from 'vitest';
import { decodeValues } from './abi-decode.js';
import { encodeValues } from './abi-encode.js';
import { type AbiType, type AbiValue, parseSignature, typeText } from './abi-type.js';
import { selectorOf } from './read-calldata.js';

const codec = {
  utf8: (text: string) => new TextEncoder().encode(text),
  text: (bytes: Uint8Array) => {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return undefined;
    }
  },
};

const hexOf = (size: number) =>
  fc
    .uint8Array({ minLength: size, maxLength: size })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);

/** A type with a value of it, in our form. */
const typed: fc.Arbitrary<readonly [AbiType, AbiValue]> = fc.letrec<{ any: readonly [AbiType, AbiValue] }>(
  (tie) => ({
    any: fc.oneof(
      { maxDepth: 2 },
      hexOf(20).map((value) => [{ kind: 'address' }, value] as const),
      fc.boolean().map((value) => [{ kind: 'bool' }, value] as const),
      fc
        .tuple(fc.integer({ min: 1, max: 32 }), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
        .map(
          ([bytes, value]) =>
            [{ kind: 'uint', bits: bytes * 8 }, BigInt.asUintN(bytes * 8, value).toString()] as const,
        ),
      fc
        .tuple(fc.integer({ min: 1, max: 32 }), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
        .map(
          ([bytes, value]) =>
            [{ kind: 'int', bits: bytes * 8 }, BigInt.asIntN(bytes * 8, value).toString()] as const,
        ),
      fc
        .integer({ min: 1, max: 32 })
        .chain((size) => hexOf(size).map((value) => [{ kind: 'fixed-bytes', size }, value] as const)),
      fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => [{ kind: 'string' }, value] as const),
      fc
        .integer({ min: 0, max: 70 })
        .chain((size) => hexOf(size).map((value) => [{ kind: 'bytes' }, value] as const)),
      fc
        .tuple(tie('any'), fc.integer({ min: 1, max: 3 }), fc.boolean())
        .map(
          ([[of, value], length, fixed]) =>
            [
              { kind: 'array', of, ...(fixed && { length }) } as const,
              Array.from({ length }, () => value),
            ] as const,
        ),
      fc
        .array(tie('any'), { minLength: 1, maxLength: 3 })
        .map(
          (items) =>
            [
              { kind: 'tuple', items: items.map(([type]) => type) } as const,
              items.map(([, value]) => value),
            ] as const,
        ),
    ),
  }),
).any;

/** viem wants bigint or number for integers. */
function forViem(type: AbiType, value: AbiValue): unknown {
  if (type.kind === 'uint' || type.kind === 'int')
    return type.bits <= 48 ? Number(value) : BigInt(String(value));
  if (type.kind === 'array' && Array.isArray(value)) return value.map((one) => forViem(type.of, one));
  if (type.kind === 'tuple' && Array.isArray(value))
    return value.map((one, i) => forViem(type.items[i] ?? { kind: 'bool' }, one));
  return value;
}

describe('the ABI', () => {
  it('is written as another implementation writes it, and read back', () => {
    fc.assert(
      fc.property(fc.array(typed, { minLength: 1, maxLength: 4 }), (list) => {
        const types = list.map(([type]) => type);
        const values = list.map(([, value]) => value);
        const parameters = parseAbiParameters(types.map(typeText).join(','));
        const expected = encodeAbiParameters(
          parameters,
          types.map((type, i) => forViem(type, values[i] ?? '')),
        ).slice(2);
        expect(encodeValues(types, values, codec)).toBe(expected);
        expect(decodeValues(types, expected, codec)).toEqual(values);
      }),
      { numRuns: 300 },
    );
  });

  it('nothing is read that another implementation refuses, and no bytes break it', () => {
    const types = parseSignature('f(string,uint8[],bytes4,(bool,bytes))')?.inputs ?? [];
    const parameters = parseAbiParameters('string,uint8[],bytes4,(bool,bytes)');
    const word = fc.oneof(
      fc.integer({ min: 0, max: 320 }).map((n) => n.toString(16).padStart(64, '0')),
      hexOf(32).map((hex) => hex.slice(2)),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 14 }), (words) => {
        const hex = words.join('');
        if (decodeValues(types, hex, codec) === undefined) return;
        expect(() => decodeAbiParameters(parameters, `0x${hex}`)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });

  it('a list that points at itself without end is given up', () => {
    const word = (n: number) => n.toString(16).padStart(64, '0');
    // Every level has eight entries, and all of them point at the next level.
    const level = word(8) + word(256).repeat(8);
    const read = (depth: number) => {
      const types = parseSignature(`f(uint16${'[]'.repeat(depth)})`)?.inputs ?? [];
      return decodeValues(types, word(32) + level.repeat(8), codec);
    };
    expect(JSON.stringify(read(3)).match(/256/g)).toHaveLength(8 ** 3);
    expect(read(7)).toBeUndefined();
  });
});

describe('signatures', () => {
  it.each([
    ['transfer(address,uint256)', 'transfer(address,uint256)'],
    ['function mint(address to, uint id)', 'mint(address,uint256)'],
    ['f(tuple(uint8 a, string b)[] list, bytes32[2] pair)', 'f((uint8,string)[],bytes32[2])'],
    ['f()', 'f()'],
    ['f(bytes calldata data)', 'f(bytes)'],
  ])('%s', (text, canonical) => {
    expect(parseSignature(text)?.canonical).toBe(canonical);
    expect(`0x${selectorOf(canonical, codec)}`).toBe(toFunctionSelector(canonical));
  });

  it.each([
    'transfer',
    'f(uint7)',
    'f(uint264)',
    'f(bytes33)',
    'f(address,)',
    'f(())',
    'f(uint256[0])',
    'f(fixed)',
    'f(a)b)',
    `f(${'('.repeat(20)}bool${')'.repeat(20)})`,
    `f(${'uint256,'.repeat(1_000)}bool)`,
  ])('%s is none', (text) => {
    expect(parseSignature(text)).toBeUndefined();
  });
});
