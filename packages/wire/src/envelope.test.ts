import { describe, expect, it } from 'vitest';
import { decodeEnvelope, decodeSendRequest, encodeEnvelope, encodeSendRequest } from './envelope.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const unhex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

const envelope = {
  macpVersion: '1.0',
  mode: 'm',
  messageType: 't',
  messageId: 'i',
  sessionId: 's',
  sender: 'a',
  timestampUnixMs: 300,
  payload: Uint8Array.of(0xde, 0xad),
};
const WIRE = '0a03312e30 12016d 1a0174 220169 2a0173 320161 38ac02 4202dead'.replaceAll(' ', '');
const empty = {
  ...envelope,
  macpVersion: '',
  mode: '',
  messageType: '',
  messageId: '',
  sessionId: '',
  sender: '',
};

describe('an envelope', () => {
  it('is these bytes', () => {
    expect(hex(encodeEnvelope(envelope))).toBe(WIRE);
    expect(decodeEnvelope(unhex(WIRE))).toStrictEqual(envelope);
    expect(encodeEnvelope({ ...empty, timestampUnixMs: 0, payload: new Uint8Array(0) })).toHaveLength(0);
  });

  it('ignores unknown fields, also known numbers with a foreign wire type', () => {
    const unknown = [
      'f80601',
      'fa060568656c6c6f',
      'fd0600000000',
      'f9060000000000000000',
      'fb06 0801 fc06',
      '0801',
    ];
    for (const field of unknown) expect(decodeEnvelope(unhex(field + WIRE))).toEqual(envelope);
  });

  it('takes fields in any order, the last one wins', () => {
    const decoded = decodeEnvelope(
      unhex('4202dead 38ac02 320161 2a0173 220169 1a0178 12016d 0a03312e30 1a0174'),
    );
    expect(decoded).toEqual(envelope);
  });

  it('is refused when cut off anywhere inside a field', () => {
    const bytes = unhex(WIRE);
    const ends = new Set([0, 5, 8, 11, 14, 17, 20, 23]);
    for (let length = 0; length < bytes.length; length++) {
      expect(decodeEnvelope(bytes.subarray(0, length)) !== undefined).toBe(ends.has(length));
    }
  });

  it('is refused with an impossible tag or length', () => {
    for (const bad of [
      '00',
      '0e00',
      '0f00',
      '0c',
      '8080808080',
      '0affffffff0f',
      '0a8080808080 00',
      '38ffffffffffffffffffff01',
    ]) {
      expect(decodeEnvelope(unhex(bad))).toBeUndefined();
    }
  });

  it('may lie anywhere inside a larger buffer', () => {
    const bytes = unhex(WIRE);
    const larger = new Uint8Array(bytes.length + 20).fill(0xff);
    larger.set(bytes, 7);
    expect(decodeEnvelope(larger.subarray(7, 7 + bytes.length))).toEqual(envelope);
  });

  it('carries a large payload and long texts', () => {
    const large = { ...envelope, payload: new Uint8Array(1_048_576).fill(5), sender: 'é'.repeat(100_000) };
    for (const decoded of [
      decodeEnvelope(encodeEnvelope(large)),
      decodeSendRequest(encodeSendRequest(large)),
    ]) {
      if (typeof decoded !== 'object') throw new Error('not an envelope');
      // Buffer compares a megabyte at once, toEqual byte by byte.
      expect(Buffer.from(decoded.payload).equals(large.payload)).toBe(true);
      expect(decoded.sender).toBe(large.sender);
    }
    expect(hex(encodeEnvelope(envelope))).toBe(WIRE);
  });

  it('keeps its bytes when others are encoded after it', () => {
    const kept = Array.from({ length: 500 }, (_, index) =>
      encodeEnvelope({ ...envelope, timestampUnixMs: index }),
    );
    kept.forEach((bytes, index) => {
      expect(decodeEnvelope(bytes)?.timestampUnixMs).toBe(index);
    });
  });
});

describe('a SendRequest', () => {
  it('wraps the envelope', () => {
    expect(hex(encodeSendRequest(envelope))).toBe(`0a1b${WIRE}`);
    expect(decodeSendRequest(unhex(`0a1b${WIRE}`))).toEqual(envelope);
  });

  it('may hold none', () => {
    expect(decodeSendRequest(new Uint8Array(0))).toBe('no-envelope');
    expect(decodeSendRequest(unhex('0a00'))).toMatchObject({ macpVersion: '', timestampUnixMs: 0 });
    expect(decodeSendRequest(unhex('0a'))).toBeUndefined();
  });

  it('merges an envelope that comes in parts', () => {
    expect(decodeSendRequest(unhex('0a0512016d3805 0a0312016e'))).toMatchObject({
      mode: 'n',
      timestampUnixMs: 5,
    });
  });

  it('does not let the envelope run over its end', () => {
    expect(decodeSendRequest(unhex('0a02 1202 6d6d'))).toBeUndefined();
    expect(decodeSendRequest(unhex('0a01 38 05'))).toBeUndefined();
  });
});
