import { expect, it } from 'vitest';
import { countFields } from './field-count.js';
import { encodeMessage, pb } from './index.js';

it('counts the fields at the top, and no further than it is told', () => {
  const participants = Array.from({ length: 300 }, (_, i) => `p${i}`);
  const bytes = encodeMessage(pb.SessionStartPayloadSchema, {
    intent: 'x',
    participants,
    roots: [{ uri: 'a', name: 'b' }],
    extensions: { one: new Uint8Array(3), two: new Uint8Array(0) },
  });
  expect(countFields(bytes, 10_000)).toBe(304);
  expect(countFields(bytes, 100)).toBe(101);
  expect(countFields(new Uint8Array(0), 10)).toBe(0);
});

it('ends on bytes that are no message', () => {
  for (const bytes of [[0xff, 0xff], [0x0a, 0x05], [0x00], [0x0b, 0x0b, 0x0b]])
    expect(countFields(Uint8Array.from(bytes), 100)).toBeLessThan(5);
});
