import fc from 'fast-check';
import { expect, it } from 'vitest';
import { timesAsDear } from '../../../../test/hardening/support/cpu.js';
import { parseJson } from './parse-json.js';

const pieces = fc.constantFrom(
  ...[
    '"',
    '\\',
    '\\\\',
    '\\"',
    '\\n',
    '\\/',
    '\\x',
    'u0041',
    '\\u0041',
    '\\u12',
    '\\ud83d',
    'n',
    ' ',
    '\n',
    '\t',
    '\0',
    'é',
    '😀',
    '\x7f',
  ],
);
const texts = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''));

it('reads a string as JSON.parse does, or refuses it as that does', () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      for (const text of [`"${one}"`, `["${one}","${other}"]`, `{"${one}":"${other}"}`, `"${one}`]) {
        let expected: unknown;
        try {
          const value = JSON.parse(text);
          expected =
            typeof value === 'object' && !Array.isArray(value) ? new Map(Object.entries(value)) : value;
        } catch {
          expected = undefined;
        }
        const read = parseJson(text);
        expect('value' in read ? read.value : undefined, text).toEqual(expected);
      }
    }),
    { numRuns: 5_000 },
  );
});

it('hardening:H1 a string of escapes costs little more than one without', () => {
  const string = (text: string) => `["${text.repeat(1_000_000 / text.length)}"]`;
  for (const sign of ['\\n', '\\"', '\\\\', '\\u0041']) {
    const [plain, escaped] = [string('x'), string(sign)];
    const times = timesAsDear(
      () => JSON.parse(escaped),
      () => parseJson(escaped),
    );
    expect(times, sign).toBeLessThan(5);
    expect(parseJson(plain)).toHaveProperty('value');
  }
});
