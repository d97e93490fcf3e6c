import { createHash } from 'node:crypto';
import {
  type CommitmentPayload,
  handoffPayloads,
  type PayloadKind,
  type SessionStartPayload,
} from '@handover/core';
import { describe, expect, it } from 'vitest';
import { createCodec } from './codec.js';

const codec = createCodec({
  sha256: (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex'),
});
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const unhex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

const start: SessionStartPayload = {
  intent: 'hand over',
  participants: ['a', 'b'],
  modeVersion: '1.0.0',
  configurationVersion: 'config.default',
  policyVersion: '',
  ttlMs: 60_000,
  roots: [{ uri: 'file:///r', name: 'r' }],
  contextId: '',
  extensions: { context: Uint8Array.of(1, 2), empty: new Uint8Array(0) },
  maxSuspendMs: 0,
};
const commitment: CommitmentPayload = {
  commitmentId: 'c1',
  action: 'handoff.accepted',
  authorityScope: 's',
  reason: '',
  modeVersion: '1.0.0',
  policyVersion: '',
  configurationVersion: '',
  outcomePositive: true,
};

describe('payloads', () => {
  it('come back as they went', () => {
    expect(codec.decode('SessionStart', codec.encode('SessionStart', start))).toEqual(start);
    const superseding = { ...commitment, supersedes: { sessionId: 's0', commitmentHash: 'ff' } };
    expect(codec.decode('Commitment', codec.encode('Commitment', superseding))).toEqual(superseding);
  });

  it('leave out a sub-message that is not set', () => {
    const decoded = codec.decode('Commitment', codec.encode('Commitment', commitment));
    expect(decoded).toStrictEqual(commitment);
    expect(decoded && 'supersedes' in decoded).toBe(false);
  });

  it('have their defaults when the bytes are empty', () => {
    expect(codec.decode(handoffPayloads.HandoffAccept, new Uint8Array(0))).toStrictEqual({
      handoffId: '',
      acceptedBy: '',
      reason: '',
      implicit: false,
    });
  });

  it('are these bytes', () => {
    const offer = { handoffId: 'h1', targetParticipant: 'bob', scope: 'x', reason: '' };
    expect(hex(codec.encode(handoffPayloads.HandoffOffer, offer))).toBe('0a0268311203626f621a0178');
    const accept = { handoffId: 'h1', acceptedBy: 'bob', reason: '', implicit: true };
    expect(hex(codec.encode(handoffPayloads.HandoffAccept, accept))).toBe('0a0268311203626f622001');
    const resume = { reason: '', resumedBy: 'a', bankedMs: -1 };
    expect(hex(codec.encode('SessionResume', resume))).toBe('120161 18ffffffffffffffffff01'.replace(' ', ''));
    const signal = { signalType: 's', data: Uint8Array.of(9), confidence: 0.5, correlationSessionId: '' };
    expect(hex(codec.encode('Signal', signal))).toBe('0a0173 120109 19000000000000e03f'.replaceAll(' ', ''));
    const bare = {
      ...start,
      intent: '',
      participants: [],
      modeVersion: '',
      configurationVersion: '',
      roots: [],
    };
    const mapped = { ...bare, extensions: { b: Uint8Array.of(1), a: new Uint8Array(0) } };
    expect(hex(codec.encode('SessionStart', mapped))).toBe(
      '30e0d403 4a050a01611200 4a060a0162120101'.replaceAll(' ', ''),
    );
  });
});

it('finds a mode payload by mode and type, and none without a binding', () => {
  const { HandoffOffer } = handoffPayloads;
  const elsewhere: PayloadKind<unknown> = { ...HandoffOffer, mode: 'ext.other.v1' };
  expect(codec.decode(HandoffOffer, new Uint8Array(0))?.handoffId).toBe('');
  expect(() => codec.decode(elsewhere, new Uint8Array(0))).toThrow(/no protobuf binding/);
  // @ts-expect-error: the fields are those of the payload that is named, all of them.
  expect(() => codec.encode(HandoffOffer, { handoffId: 'h1' })).toThrow();
});

describe('hostile payloads', () => {
  it('cannot reach a prototype through a map key', () => {
    const bytes = codec.encode('SessionStart', { ...start, extensions: { ['__proto__']: Uint8Array.of(7) } });
    const extensions = codec.decode('SessionStart', bytes)?.extensions ?? {};
    expect(Object.keys(extensions)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(extensions)).toBeNull();
    expect(Object.getOwnPropertyDescriptor(extensions, '__proto__')?.value).toEqual(Uint8Array.of(7));
    expect(codec.encode('SessionStart', { ...start, extensions })).toEqual(bytes);
  });

  it('do not write into the defaults that messages share', () => {
    codec.decode('SessionStart', codec.encode('SessionStart', start));
    const empty = codec.decode('SessionStart', new Uint8Array(0));
    expect(empty?.participants).toEqual([]);
    expect(Object.keys(empty?.extensions ?? { no: 1 })).toEqual([]);
  });

  it('are refused when text is not UTF-8', () => {
    for (const bad of ['ff', 'c080', 'eda080', 'f4908080', 'c3']) {
      const body = unhex(bad);
      expect(
        codec.decode(handoffPayloads.HandoffOffer, Uint8Array.of(0x0a, body.length, ...body)),
      ).toBeUndefined();
    }
    expect(codec.text(Uint8Array.of(0xff))).toBeUndefined();
    expect(codec.text(codec.utf8('\ufeffé😀'))).toBe('\ufeffé😀');
  });

  it('are refused when a number cannot hold an int64', () => {
    const ttl = (varint: string) => codec.decode('SessionStart', unhex(`30 ${varint}`))?.ttlMs;
    expect(ttl('ffffffffffffff0f')).toBe(Number.MAX_SAFE_INTEGER);
    expect(ttl('8080808080808010')).toBeUndefined();
    expect(ttl('81808080808080f0ff01')).toBe(-Number.MAX_SAFE_INTEGER);
    expect(ttl('80808080808080f0ff01')).toBeUndefined();
    expect(ttl('ffffffffffffffff7f')).toBeUndefined();
    expect(ttl('ffffffffffffffffff01')).toBe(-1);
  });

  it('take time in proportion to their size', () => {
    const many = new Uint8Array(1_000_000);
    for (let index = 0; index < many.length; index += 2) many[index] = 0x12;
    expect(codec.decode('SessionStart', many)?.participants).toHaveLength(500_000);
  });

  it('may not nest groups without end', () => {
    expect(codec.decode(handoffPayloads.HandoffOffer, new Uint8Array(1_000_000).fill(0xa3))).toBeUndefined();
    expect(codec.decode(handoffPayloads.HandoffOffer, new Uint8Array(500_000).fill(0x53))).toBeUndefined();
  });
});

it('refuses to encode a number that is not an integer', () => {
  for (const ttlMs of [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    1.5,
    2 ** 53,
    -(2 ** 53),
  ]) {
    expect(() => codec.encode('SessionStart', { ...start, ttlMs })).toThrow(RangeError);
  }
  // The writer is shared: a failure must leave nothing behind.
  expect(codec.decode('SessionStart', codec.encode('SessionStart', start))).toEqual(start);
});

it('hashes the parts one after another', () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(codec.sha256(codec.utf8('a'), codec.utf8('bc'))).toBe(abc);
});
