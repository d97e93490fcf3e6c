import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../../test/conformance/verifies.js';
import { MAX_TIMESTAMP_MS } from '../shape.js';
import { formatTimestamp, parseTimestamp } from './rfc3339.js';

const anyTime = fc.integer({ min: 0, max: MAX_TIMESTAMP_MS });
const pad = (value: number) => String(value).padStart(2, '0');

describe('RFC 3339 times', () => {
  it('are written as Date writes them', () => {
    fc.assert(fc.property(anyTime, (ms) => formatTimestamp(ms) === new Date(ms).toISOString()));
    for (let day = 0; day <= 4_000; day++)
      expect(formatTimestamp(day * 86_400_000)).toBe(new Date(day * 86_400_000).toISOString());
  });

  it('come back the same', () => {
    fc.assert(fc.property(anyTime, (ms) => parseTimestamp(formatTimestamp(ms) ?? '') === ms));
  });

  it('are read with any offset, as Date reads them', () => {
    const offset = fc.tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59));
    fc.assert(
      fc.property(anyTime, offset, (ms, [sign, hours, minutes]) => {
        const local = new Date(ms).toISOString().replace('Z', `${sign}${pad(hours)}:${pad(minutes)}`);
        const date = Date.parse(local);
        const expected = date >= 0 && date <= MAX_TIMESTAMP_MS ? date : undefined;
        expect(parseTimestamp(local)).toBe(expected);
      }),
    );
  });

  it.each([
    ['2024-02-29T12:00:00Z', Date.UTC(2024, 1, 29, 12)],
    ['2000-02-29t00:00:00z', Date.UTC(2000, 1, 29)],
    ['2026-01-01T00:00:00.1Z', Date.UTC(2026, 0, 1) + 100],
    ['2026-01-01T00:00:00.123999999Z', Date.UTC(2026, 0, 1) + 123],
    ['1969-12-31T23:00:00-01:00', 0],
    ['9999-12-31T23:59:59.999Z', MAX_TIMESTAMP_MS],
    ['2026-01-01T00:00:00-00:00', Date.UTC(2026, 0, 1)],
  ])('reads %s', (text, ms) => {
    expect(parseTimestamp(text)).toBe(ms);
  });

  it.each([
    '',
    'now',
    '2026-01-01',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00Z',
    '2026-1-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+01:60',
    '2026-01-01T00:00:00+0100',
    '2026-01-01T00:00:00Z ',
    '+2026-01-01T00:00:00Z',
    '٢026-01-01T00:00:00Z',
  ])('refuses %j', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it(`${verifies('decision:json:timestamps')}end at 1970 and with year 9999`, () => {
    expect(parseTimestamp('1969-12-31T23:59:59.999Z')).toBeUndefined();
    expect(parseTimestamp('9999-12-31T23:59:59.999-00:01')).toBeUndefined();
    expect(parseTimestamp('10000-01-01T00:00:00Z')).toBeUndefined();
    for (const ms of [-1, 0.5, MAX_TIMESTAMP_MS + 1, Number.NaN]) expect(formatTimestamp(ms)).toBeUndefined();
  });
});
