import { expect, it } from 'vitest';
import {
  type Ack,
  decodeAck,
  decodeAckResponse,
  encodeAck,
  encodeAckResponse,
  SESSION_STATES,
} from './ack.js';
import { encodeMessage } from './message.js';
import * as pb from './pb.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const ack: Ack = {
  ok: true,
  duplicate: false,
  messageId: 'i',
  sessionId: 's',
  acceptedAtUnixMs: 300,
  sessionState: 'OPEN',
};
const refused: Ack = {
  ...ack,
  ok: false,
  error: { code: 'FORBIDDEN', message: 'no', sessionId: 's', messageId: 'i', details: new Uint8Array(0) },
};

it('is these bytes', () => {
  expect(hex(encodeAck(ack))).toBe('0801 1a0169 220173 28ac02 3001'.replaceAll(' ', ''));
  expect(hex(encodeAckResponse(ack))).toBe('0a0d 0801 1a0169 220173 28ac02 3001'.replaceAll(' ', ''));
});

it('comes back as it went, without an error where there is none', () => {
  expect(decodeAck(encodeAck(ack))).toStrictEqual(ack);
  expect(decodeAckResponse(encodeAckResponse(refused))).toStrictEqual(refused);
});

it('names the states by their numbers', () => {
  const names = pb.SessionStateSchema.values.map(({ name }) => name.replace('SESSION_STATE_', ''));
  expect(names).toEqual(SESSION_STATES);
  for (const sessionState of SESSION_STATES)
    expect(decodeAck(encodeAck({ ...ack, sessionState }))?.sessionState).toBe(sessionState);
  expect(decodeAck(Uint8Array.of(0x30, 99))?.sessionState).toBe('UNSPECIFIED');
});

it('serves the four responses that carry an Ack', () => {
  const fields = { ack: { ...ack, acceptedAtUnixMs: 300n, sessionState: pb.SessionState.OPEN } };
  const schemas = [
    pb.SendResponseSchema,
    pb.CancelSessionResponseSchema,
    pb.SuspendSessionResponseSchema,
    pb.ResumeSessionResponseSchema,
  ];
  for (const schema of schemas) expect(encodeMessage(schema, fields)).toEqual(encodeAckResponse(ack));
});

it('is undefined when missing or malformed', () => {
  expect(decodeAckResponse(new Uint8Array(0))).toBeUndefined();
  expect(decodeAck(Uint8Array.of(0x08))).toBeUndefined();
});
