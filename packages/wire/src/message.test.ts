import { expect, it } from 'vitest';
import { decodeMessage, encodeMessage } from './message.js';
import * as pb from './pb.js';

it('encodes and decodes any generated message', () => {
  const bytes = encodeMessage(pb.ListSessionsRequestSchema, { pageSize: 5, pageToken: 't' });
  expect(Buffer.from(bytes).toString('hex')).toBe('0805120174');
  expect(decodeMessage(pb.ListSessionsRequestSchema, bytes)).toMatchObject({ pageSize: 5, pageToken: 't' });
});

it('answers undefined to what is not the message', () => {
  expect(decodeMessage(pb.ListSessionsRequestSchema, Uint8Array.of(0x12, 5))).toBeUndefined();
  expect(decodeMessage(pb.ListSessionsRequestSchema, Uint8Array.of(0x12, 1, 0xff))).toBeUndefined();
});
