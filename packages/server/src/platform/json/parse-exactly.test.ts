import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScan, scanJson } from './json-scan.js';
import { parseExactly } from './parse-exactly.js';

const LIMITS = { depth: 1_000, values: 1_000_000 };
const parse = (text: string) => parseExactly(Buffer.from(text), scanJson(Buffer.from(text), LIMITS));
const flaw = (text: string) => {
  const parsed = parse(text);
  return 'flaw' in parsed ? parsed.flaw.message : undefined;
};

describe('JSON that is parsed exactly', () => {
  it('is everything that a serializer writes, in whatever pieces it comes', () => {
    const json = fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 7 }), (text, piece) => {
        const bytes = Buffer.from(text);
        const scan = new JsonScan(LIMITS);
        for (let at = 0; at < bytes.length; at += piece) scan.push(bytes.subarray(at, at + piece));
        expect(parseExactly(bytes, scan)).toEqual({ value: JSON.parse(text) });
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    '{"__proto__":1}',
    '{"__proto__":{"a":1},"a":{"__proto__":{}}}',
    '{"constructor":1,"toString":{"length":2}}',
    '[{"a":1},{"a":1},["a","a"]]',
    '{"a":{"a":{"a":"a"}}}',
    '{"a":"\\"b\\":1,\\"b\\":2,1e400"}',
    '9007199254740992',
    '1000000000000000000000',
    '[1e21, -1E+3, 0e5, 0.0, 1.000, -0.5, 0.1234567890123456789, 123456789012345680000]',
  ])('may be %s', (text) => {
    expect(flaw(text)).toBeUndefined();
  });

  it.each([
    ['{"a":1,"a":1}', 'a is there twice'],
    ['{"a":1,"\\u0061":2}', 'a is there twice'],
    ['{"__proto__":1,"__proto__":2}', '__proto__ is there twice'],
    ['{"x":[0,{"y":1},{"y":{"z":1,"w":[],"z":2}}]}', 'x.2.y.z is there twice'],
    ['{"a":1e400}', 'a is the number 1e400'],
    ['{"a":{"b":[1,-1E999]}}', 'a.b.1 is the number -1E999'],
    ['1e-400', 'the message is the number 1e-400'],
    ['{"z":-0}', 'z is the number -0,'],
    ['[-0.0e7]', '0 is the number -0.0e7'],
    ['{"a":[],"n":100000000000000000001}', 'n is the number 100000000000000000001'],
    ['[9007199254740993]', '0 is the number 9007199254740993'],
    [`[${'9'.repeat(400)}]`, `0 is the number ${'9'.repeat(40)}…`],
  ])('is never %s', (text, said) => {
    expect(flaw(text)).toContain(said);
  });

  it('is refused in whatever pieces it comes', () => {
    for (const text of ['{"a":1,"a":2}', '[1e400]', '[-0]', '[100000000000000000001]'])
      for (let piece = 1; piece < text.length; piece++) {
        const bytes = Buffer.from(text);
        const scan = new JsonScan(LIMITS);
        for (let at = 0; at < bytes.length; at += piece) scan.push(bytes.subarray(at, at + piece));
        expect('flaw' in parseExactly(bytes, scan), `${text} by ${piece}`).toBe(true);
      }
  });
});
