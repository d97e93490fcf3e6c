import fc from 'fast-check';
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from 'viem';
import { describe, expect, it } from 'vitest';
import { type AbiType, type AbiValue, typeText } from './abi-type.js';
import { MAX_VALUES } from './extent.js';
import { readValues } from './read-values.js';
import { parseSignature } from './signature.js';

const typesOf = (signature: string) => parseSignature(signature)?.inputs ?? [];
const word = (n: number) => n.toString(16).padStart(64, '0');
const text = (words: readonly (number | string)[]) =>
  words.map((one) => (typeof one === 'number' ? word(one) : one)).join('');

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

describe('values', () => {
  it('that another implementation has written are read', () => {
    fc.assert(
      fc.property(fc.array(typed, { minLength: 1, maxLength: 4 }), (list) => {
        const types = list.map(([type]) => type);
        const values = list.map(([, value]) => value);
        const data = encodeAbiParameters(
          parseAbiParameters(types.map(typeText).join(',')),
          types.map((type, i) => forViem(type, values[i] ?? '')),
        );
        // The library drops the mark that a text may begin with; such a text is not explained.
        const expected = JSON.stringify(values).includes('\ufeff')
          ? expect.anything()
          : { kind: 'read', values };
        expect(readValues(types, data.slice(2))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('are nothing that another implementation refuses, and no bytes break the reader', () => {
    const types = typesOf('f(string,uint8[],bytes4,(bool,bytes))');
    const parameters = parseAbiParameters('string,uint8[],bytes4,(bool,bytes)');
    const any = fc.oneof(
      fc.integer({ min: 0, max: 320 }).map(word),
      hexOf(32).map((hex) => hex.slice(2)),
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 14 }), (words) => {
        const hex = words.join('');
        if (readValues(types, hex).kind !== 'read') return;
        expect(() => decodeAbiParameters(parameters, `0x${hex}`)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['a word of an address with bits before it', 'f(address)', [`01${word(1).slice(2)}`]],
    ['a number beyond its type', 'f(uint8)', [256]],
    ['a truth that is two', 'f(bool)', [2]],
    ['bytes behind the bytes of a word', 'f(bytes4)', [1]],
    ['text that is not UTF-8', 'f(string)', [32, 1, `ff${'0'.repeat(62)}`]],
    ['text with the mark that decoders drop', 'f(string)', [32, 3, `efbbbf${'0'.repeat(58)}`]],
    ['padding that is not zero', 'f(bytes)', [32, 1, `ff${'0'.repeat(61)}1`]],
    ['an offset beyond the end', 'f(bytes)', [320, 0]],
    ['an offset that leaves a gap', 'f(bytes)', [64, 0, 0]],
    ['too few words', 'f(uint256,uint256)', [1]],
    ['words left over', 'f(uint256)', [1, 1]],
    ['a length without entries', 'f(uint256[])', [32, 9, 1]],
  ] as const)('%s is malformed', (_name, signature, words) => {
    expect(readValues(typesOf(signature), text(words))).toEqual({ kind: 'malformed' });
  });

  it('are decoded up to the limit, lists counted too', () => {
    const list = (count: number) =>
      readValues(typesOf('f(uint256[])'), text([32, count]) + word(7).repeat(count));
    expect(list(MAX_VALUES - 1)).toMatchObject({ kind: 'read', values: [{ length: MAX_VALUES - 1 }] });
    expect(list(MAX_VALUES)).toEqual({ kind: 'too-long' });
  });

  it('of a long text are few', () => {
    const long = 'ä'.repeat(200_000);
    const data = encodeAbiParameters([{ type: 'string' }], [long]).slice(2);
    expect(readValues(typesOf('f(string)'), data)).toEqual({ kind: 'read', values: [long] });
  });

  it('in lists that point at themselves are given up at once', () => {
    // Every level has eight entries, and all of them point at the next level.
    const level = word(8) + word(256).repeat(8);
    for (const depth of [3, 7])
      expect(readValues(typesOf(`f(uint16${'[]'.repeat(depth)})`), word(32) + level.repeat(8))).toEqual({
        kind: 'malformed',
      });
  });

  it('that share one large body are given up at once', () => {
    const [count, size] = [4_000, 400_000];
    const body = word(size) + 'ab'.repeat(size);
    const data = text([32, count]) + word(32 * count).repeat(count) + body;
    const from = performance.now();
    expect(readValues(typesOf('f(bytes[])'), data)).toEqual({ kind: 'malformed' });
    expect(performance.now() - from).toBeLessThan(1_000);
  });
});
