import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScan, scanJson } from './json-scan.js';
import { parseBounded } from './parse-bounded.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const WIDE = { depth: 1_000, values: 1_000_000 };

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const members = Object.values(value);
  const names = Array.isArray(value) ? 0 : members.length;
  return 1 + names + members.reduce((sum: number, member) => sum + countOf(member), 0);
}

const json = fc
  .tuple(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), fc.nat(2))
  .map(([value, indent]) => ({ value, text: JSON.stringify(value, null, indent) }));

describe('a scan of JSON', () => {
  it('counts every value and every name, in whatever pieces the text comes', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 7 }), ({ value, text }, piece) => {
        const scan = new JsonScan(WIDE);
        const all = bytes(text);
        for (let at = 0; at < all.length; at += piece) scan.push(all.subarray(at, at + piece));
        expect(scan.values).toBe(countOf(value));
      }),
    );
  });

  it('finds the end of a text however long it is and whatever it hides', () => {
    const part = fc.constantFrom('\\', '"', 'a', 'a'.repeat(23), 'a'.repeat(24), 'a'.repeat(90), ',[{');
    const texts = fc.array(fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 130 }), (value, piece) => {
        const scan = new JsonScan(WIDE);
        const all = bytes(JSON.stringify(value));
        for (let at = 0; at < all.length; at += piece) scan.push(all.subarray(at, at + piece));
        expect(scan.values).toBe(countOf(value));
      }),
      { numRuns: 2_000 },
    );
  });

  it('searches every byte once, in a text of escapes too', () => {
    const searched: number[] = [];
    const counted = bytes(`["${'\\\\'.repeat(50_000)}",${'"a",'.repeat(50_000)}1]`);
    counted.indexOf = (sign: never, from?: number) => {
      const found = Uint8Array.prototype.indexOf.call(counted, sign, from);
      searched.push((found === -1 ? counted.length : found) - (from ?? 0));
      return found;
    };
    expect(scanJson(counted, WIDE).excess).toBeUndefined();
    expect(searched.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(2 * counted.length);
  });

  it('accepts what fits and refuses what exceeds, exactly', () => {
    fc.assert(
      fc.property(json, fc.nat(8), fc.integer({ min: 1, max: 40 }), ({ value, text }, depth, values) => {
        const fits = depthOf(value) <= depth && countOf(value) <= values;
        const parsed = parseBounded(text, { depth, values, bytes: 1_000_000 });
        expect('value' in parsed).toBe(fits);
        if ('value' in parsed) expect(parsed.value).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('never lets a broken text through that a parser would follow beyond the limits', () => {
    const broken = fc
      .tuple(json, fc.nat(), fc.constantFrom(']', '}', '"', '\\', ',', '[1'))
      .map(
        ([{ text }, at, sign]) =>
          text.slice(0, at % (text.length + 1)) + sign + text.slice(at % (text.length + 1)),
      );
    fc.assert(
      fc.property(broken, fc.nat(6), fc.integer({ min: 1, max: 20 }), (text, depth, values) => {
        const parsed = parseBounded(text, { depth, values, bytes: 1_000_000 });
        if (!('value' in parsed)) return;
        expect(depthOf(parsed.value)).toBeLessThanOrEqual(depth);
        expect(countOf(parsed.value)).toBeLessThanOrEqual(values);
      }),
      { numRuns: 500 },
    );
  });

  it('does not look into texts', () => {
    const value = ['[[[[', '\\', '"]', '\\"[', { '{"[': '\\\\', ',,::': ',' }];
    expect(scanJson(bytes(JSON.stringify(value)), WIDE).values).toBe(countOf(value));
  });

  it('stops at the first limit', () => {
    const many = scanJson(bytes(`[${'[],'.repeat(1_000_000)}[]]`), { depth: 32, values: 20 });
    expect([many.excess, many.values]).toEqual(['values', 21]);
    expect(scanJson(bytes('['.repeat(1_000_000)), { depth: 32, values: 1_000 }).excess).toBe('depth');
    expect(scanJson(bytes(`"${'\\"'.repeat(100_000)}`), { depth: 0, values: 1 }).excess).toBeUndefined();
  });
});

describe('parsing', () => {
  const limits = { depth: 4, values: 100, bytes: 200, longer: { bytes: 1_000, values: 3 } };
  const kind = (text: string | Uint8Array) => {
    const parsed = parseBounded(text, limits);
    return 'flaw' in parsed ? parsed.flaw.kind : 'value';
  };

  it('lets few long texts be longer than many values', () => {
    expect(kind(JSON.stringify({ text: 'x'.repeat(900) }))).toBe('value');
    expect(kind(JSON.stringify({ text: 'x'.repeat(900), more: 1 }))).toBe('bytes');
    expect(kind(JSON.stringify({ text: 'x'.repeat(1_000) }))).toBe('bytes');
  });

  it('says what is wrong', () => {
    expect(kind('[[[[[]]]]]')).toBe('depth');
    expect(kind(`[${'1,'.repeat(99)}1]`)).toBe('values');
    expect(kind(Buffer.from([0x22, 0xff, 0x22]))).toBe('utf8');
    expect(kind('{"a":}')).toBe('syntax');
    expect(kind('')).toBe('syntax');
  });
});
