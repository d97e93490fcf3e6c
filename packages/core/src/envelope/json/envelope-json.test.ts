import { createCodec } from '@handover/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../../test/conformance/verifies.js';
import { type PayloadsIn, payloadKind } from '../../modes/find-payload.js';
import { HANDOFF_MODE } from '../../modes/handoff/messages.js';
import { handoffPayloads } from '../../modes/handoff/payloads.js';
import type { Envelope } from '../envelope.js';
import { MAX_TIMESTAMP_MS } from '../shape.js';
import { envelopeFromJson, envelopeToJson } from './envelope-json.js';

// Nothing here is hashed.
const codec = createCodec({ sha256: () => '' });
const text = fc.string({ unit: 'binary', maxLength: 12 });
const millis = fc.maxSafeInteger();
const someBytes = fc.uint8Array({ maxLength: 24 });
const root = fc.record({ uri: text, name: text });
const ref = fc.record({ sessionId: text, commitmentHash: text });
// Minus zero has no form of its own in JSON.
const number = fc.double().map((value) => (value === 0 ? 0 : value));

type Payloads = PayloadsIn<typeof HANDOFF_MODE>;
const PAYLOADS: { readonly [T in keyof Payloads]: fc.Arbitrary<Payloads[T]> } = {
  SessionStart: fc.record({
    intent: text,
    participants: fc.array(text, { maxLength: 4 }),
    modeVersion: text,
    configurationVersion: text,
    policyVersion: text,
    ttlMs: millis,
    roots: fc.array(root, { maxLength: 3 }),
    contextId: text,
    extensions: fc.dictionary(fc.oneof(text, fc.constant('__proto__')), someBytes, {
      noNullPrototype: false,
    }),
    maxSuspendMs: millis,
  }),
  Commitment: fc.record(
    {
      commitmentId: text,
      action: text,
      authorityScope: text,
      reason: text,
      modeVersion: text,
      policyVersion: text,
      configurationVersion: text,
      outcomePositive: fc.boolean(),
      supersedes: ref,
    },
    {
      requiredKeys: [
        'commitmentId',
        'action',
        'authorityScope',
        'reason',
        'modeVersion',
        'policyVersion',
        'configurationVersion',
        'outcomePositive',
      ],
    },
  ),
  SessionCancel: fc.record({ reason: text, cancelledBy: text }),
  SessionSuspend: fc.record({ reason: text, suspendedBy: text }),
  SessionResume: fc.record({ reason: text, resumedBy: text, bankedMs: millis }),
  Signal: fc.record({ signalType: text, data: someBytes, confidence: number, correlationSessionId: text }),
  Progress: fc.record({
    progressToken: text,
    progress: number,
    total: number,
    message: text,
    targetMessageId: text,
  }),
  HandoffOffer: fc.record({ handoffId: text, targetParticipant: text, scope: text, reason: text }),
  HandoffContext: fc.record({ handoffId: text, contentType: text, context: someBytes }),
  HandoffAccept: fc.record({ handoffId: text, acceptedBy: text, reason: text, implicit: fc.boolean() }),
  HandoffDecline: fc.record({ handoffId: text, declinedBy: text, reason: text }),
};

const TYPES = Object.keys(PAYLOADS) as (keyof Payloads)[];

function head(messageType: fc.Arbitrary<string>, mode: fc.Arbitrary<string>) {
  return {
    macpVersion: text,
    mode,
    messageType,
    messageId: text,
    sessionId: text,
    sender: text,
    timestampUnixMs: fc.integer({ min: 0, max: MAX_TIMESTAMP_MS }),
  };
}

const known = fc.constantFrom(...TYPES).chain((type) => {
  const payload = (PAYLOADS[type] as fc.Arbitrary<Payloads[typeof type]>).map((value) =>
    codec.encode(payloadKind(HANDOFF_MODE, type), value),
  );
  return fc.record({ ...head(fc.constant(type), fc.constant(HANDOFF_MODE)), payload });
});
const unknown = fc.record({ ...head(text, text), payload: someBytes });

/** Through JSON text, as on the wire. */
const crossing = (envelope: Envelope) =>
  envelopeFromJson(JSON.parse(JSON.stringify(envelopeToJson(envelope, codec))), codec);

const BASE = {
  macp_version: '1.0',
  mode: HANDOFF_MODE,
  message_type: 'HandoffOffer',
  message_id: 'm',
  session_id: 's',
  sender: 'a',
  timestamp: '2026-01-02T03:04:05.006Z',
};
const read = (change: Record<string, unknown>) => envelopeFromJson({ ...BASE, ...change }, codec);
const payloadOf = (change: Record<string, unknown>) => {
  const reading = read(change);
  if ('rejection' in reading) throw new Error(reading.rejection.message);
  return reading.envelope.payload;
};
const flawOf = (value: unknown) => {
  const reading = envelopeFromJson(value, codec);
  if ('envelope' in reading) return undefined;
  expect(reading.rejection.code).toBe('INVALID_ENVELOPE');
  return reading.rejection.message;
};
const flaw = (change: Record<string, unknown>) => flawOf({ ...BASE, ...change });
const commitment = (payload: unknown) => flaw({ message_type: 'Commitment', payload });
const start = (payload: unknown) => flaw({ message_type: 'SessionStart', payload });

describe('envelopes in JSON', () => {
  it('come back the same when core knows the payload, which is an object', () => {
    fc.assert(
      fc.property(known, (envelope) => {
        const json = envelopeToJson(envelope, codec);
        expect(json).toHaveProperty('payload');
        expect(json).not.toHaveProperty('payload_b64');
        expect(crossing(envelope)).toEqual({ envelope });
      }),
      { numRuns: 500 },
    );
  });

  it('come back the same when it does not, byte for byte', () => {
    fc.assert(
      fc.property(unknown, (envelope) => {
        fc.pre(!Object.hasOwn(PAYLOADS, envelope.messageType));
        expect(envelopeToJson(envelope, codec)).toHaveProperty('payload_b64');
        expect(crossing(envelope)).toEqual({ envelope });
      }),
    );
  });

  it('read whatever is sent without throwing', () => {
    const near = fc.record(
      Object.fromEntries(
        [...Object.keys(BASE), 'payload', 'payload_b64'].map((name) => [
          name,
          fc.oneof(fc.jsonValue(), fc.constantFrom(...TYPES, HANDOFF_MODE)),
        ]),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), near, fc.anything()), (value) => {
        const reading = envelopeFromJson(value, codec);
        if ('rejection' in reading) expect(reading.rejection.code).toBe('INVALID_ENVELOPE');
        else expect(reading.envelope.payload).toBeInstanceOf(Uint8Array);
      }),
      { numRuns: 1_000 },
    );
  });

  it('rename the timestamp and nothing else', () => {
    const envelope: Envelope = {
      macpVersion: '1.0',
      mode: HANDOFF_MODE,
      messageType: 'HandoffDecline',
      messageId: 'm',
      sessionId: 's',
      sender: 'bob',
      timestampUnixMs: 1_700_000_000_123,
      payload: codec.encode(handoffPayloads.HandoffDecline, {
        handoffId: 'h',
        declinedBy: 'bob',
        reason: '',
      }),
    };
    expect(envelopeToJson(envelope, codec)).toEqual({
      macp_version: '1.0',
      mode: HANDOFF_MODE,
      message_type: 'HandoffDecline',
      message_id: 'm',
      session_id: 's',
      sender: 'bob',
      timestamp: '2023-11-14T22:13:20.123Z',
      payload: { handoff_id: 'h', declined_by: 'bob', reason: '' },
    });
  });

  it('show bytes that are not that payload as base64', () => {
    const payload = new Uint8Array([0xff, 0xff]);
    const envelope = { ...fc.sample(known, 1)[0], messageType: 'HandoffOffer', payload } as Envelope;
    expect(envelopeToJson(envelope, codec)).toMatchObject({ payload_b64: '//8=' });
    expect(crossing(envelope)).toEqual({ envelope });
  });

  it('have one payload, or an empty one', () => {
    expect(flaw({ payload: {}, payload_b64: '' })).toBe('payload and payload_b64 exclude each other');
    expect(payloadOf({})).toEqual(new Uint8Array(0));
    expect(payloadOf({ payload_b64: 'AQI=' })).toEqual(new Uint8Array([1, 2]));
    expect(payloadOf({ payload_b64: 'AQI' })).toEqual(new Uint8Array([1, 2]));
    expect(flaw({ payload: null })).toBe('payload must be an object');
    expect(flaw({ payload: [] })).toBe('payload must be an object');
    expect(flaw({ payload: 7 })).toBe('payload must be an object');
    expect(flaw({ payload: 'AA==' })).toBe('payload must be an object; bytes in base64 are payload_b64');
    expect(flaw({ payload_b64: '!' })).toBe('payload_b64 must be base64');
    expect(flaw({ payload_b64: null })).toBe('payload_b64 must be base64');
  });

  it('ask for payload_b64 where core does not know the fields', () => {
    expect(flaw({ message_type: 'Contribute', mode: 'ext.auction.v1', payload: {} })).toContain(
      'send payload_b64',
    );
    expect(flaw({ mode: 'ext.own.v1', payload: {} })).toContain('send payload_b64');
  });

  it(`${verifies('decision:outcome-positive:json')}do not guess an outcome`, () => {
    expect(commitment({ commitment_id: 'c' })).toBe(
      'payload.outcome_positive must be given as true or false',
    );
    expect(commitment({ outcome_positive: null })).toContain('outcome_positive');
    expect(commitment({ outcome_positive: 'true' })).toContain('outcome_positive');
    expect(commitment({ outcome_positive: false })).toBeUndefined();
    expect(flaw({ message_type: 'Commitment', payload_b64: '' })).toBeUndefined();
  });

  it(`${verifies('macp-2026:16:camel-case')}refuse a name that is meant for a field, where that one is not there`, () => {
    for (const name of [
      'policy_id',
      'policy',
      'policyversion',
      'policy-version',
      'polciy_version',
      'policy_versin',
    ])
      expect(start({ [name]: 'p' })).toBe(`payload.${name} must be called policy_version`);
    expect(start({ policy_id: 'q', policy_version: 'p' })).toBeUndefined();
    expect(start({ policy_id: null, policies: 'p', ['x'.repeat(9_999)]: 1 })).toBeUndefined();
    expect(flaw({ payload: {}, messageid: 'x', message_id: undefined })).toBe(
      'messageid must be called message_id',
    );
  });

  it(`${verifies('macp-2026:16:camel-case')}refuse the camelCase name of a field`, () => {
    expect(start({ policyVersion: 'p' })).toBe('payload.policyVersion must be called policy_version');
    expect(commitment({ outcomePositive: true, outcome_positive: true })).toBe(
      'payload.outcomePositive must be called outcome_positive',
    );
    expect(flaw({ payload: {}, messageType: 'x' })).toBe('messageType must be called message_type');
    expect(flaw({ payloadB64: '' })).toBe('payloadB64 must be called payload_b64');
    for (const other of ['timestamp_unix_ms', 'timestampUnixMs'])
      expect(flaw({ payload: {}, [other]: 5 })).toBe(`${other} must be called timestamp`);
    expect(start({ extensions: { ttlMs: 'AA==' } })).toBeUndefined();
  });

  it(`${verifies('decision:json:integers')}take integers as numbers or digits`, () => {
    const ttl = (ttl_ms: unknown) => start({ ttl_ms });
    expect(payloadOf({ message_type: 'SessionStart', payload: { ttl_ms: '60000' } })).toEqual(
      payloadOf({ message_type: 'SessionStart', payload: { ttl_ms: 60_000 } }),
    );
    for (const value of [0, -5, '-5', '0', Number.MAX_SAFE_INTEGER]) expect(ttl(value)).toBeUndefined();
    for (const value of [
      1.5,
      '1.5',
      '1e3',
      ' 1',
      '01',
      '',
      null,
      true,
      2 ** 53,
      '9007199254740993',
      '0x10',
      {},
    ])
      expect(ttl(value)).toBe('payload.ttl_ms must be an integer, as a number or in decimal digits');
  });

  it(`${verifies('decision:json:missing')}treat what is missing as empty and zero`, () => {
    expect(envelopeFromJson({}, codec)).toEqual({
      envelope: {
        macpVersion: '',
        mode: '',
        messageType: '',
        messageId: '',
        sessionId: '',
        sender: '',
        timestampUnixMs: 0,
        payload: new Uint8Array(0),
      },
    });
    expect(payloadOf({ payload: {} })).toEqual(new Uint8Array(0));
  });

  it(`${verifies('decision:unknown-fields')}ignore fields they do not know`, () => {
    expect(payloadOf({ payload: { handoff_id: 'h', colour: 'red' }, extra: {}, timestamp_ms: 5 })).toEqual(
      payloadOf({ payload: { handoff_id: 'h' } }),
    );
  });

  it.each([
    ['macp_version', 1, 'macp_version must be a string'],
    ['mode', null, 'mode must be a string'],
    ['sender', ['a'], 'sender must be a string'],
    ['message_id', 'a\ud800', 'message_id has half of a surrogate pair'],
    ['timestamp', 5, 'timestamp must be an RFC 3339 time between 1970 and the end of year 9999'],
    ['timestamp', '', 'timestamp must be an RFC 3339 time between 1970 and the end of year 9999'],
    ['timestamp', null, 'timestamp must be an RFC 3339 time between 1970 and the end of year 9999'],
    [
      'timestamp',
      '1969-12-31T23:59:59Z',
      'timestamp must be an RFC 3339 time between 1970 and the end of year 9999',
    ],
  ])('refuse %s %j', (name, value, message) => {
    expect(flaw({ [name]: value })).toBe(message);
  });

  it.each([
    [{ participants: 'bob' }, 'payload.participants must be a list'],
    [{ participants: ['a', 1] }, 'payload.participants[1] must be a string'],
    [{ participants: ['\udfff'] }, 'payload.participants[0] has half of a surrogate pair'],
    [{ roots: [null] }, 'payload.roots[0] must be an object'],
    [{ extensions: [] }, 'payload.extensions must be an object'],
    [{ extensions: { a: 'not base64' } }, 'a value of payload.extensions must be base64'],
    [{ extensions: { '\ud800': '' } }, 'payload.extensions has a key with half of a surrogate pair'],
  ])('refuse a start with %j', (payload, message) => {
    expect(start(payload)).toBe(message);
  });

  it('refuse what is no object at all', () => {
    for (const value of [null, undefined, [], 'x', 1, true])
      expect(flawOf(value)).toBe('the envelope must be a JSON object');
  });

  it('look at own keys only, and let no key change an object', () => {
    const inherited = Object.create({ ...BASE, sender: 'mallory' });
    expect(envelopeFromJson(inherited, codec)).toMatchObject({ envelope: { sender: '' } });
    const poisoned = JSON.parse(
      '{"__proto__":{"sender":"mallory"},"message_type":"SessionStart","payload":{"extensions":{"__proto__":"AQ==","constructor":"Ag=="}}}',
    );
    const reading = envelopeFromJson(poisoned, codec);
    if ('rejection' in reading) throw new Error(reading.rejection.message);
    expect(reading.envelope.sender).toBe('');
    const extensions = codec.decode('SessionStart', reading.envelope.payload)?.extensions ?? {};
    expect(Object.keys(extensions).sort()).toEqual(['__proto__', 'constructor']);
    const shown = JSON.stringify(envelopeToJson(reading.envelope, codec));
    expect(shown).toContain('"extensions":{"__proto__":"AQ==","constructor":"Ag=="}');
    expect(({} as Record<string, unknown>).sender).toBeUndefined();
  });

  it('do not care how deep something is nested', () => {
    const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    expect(flaw({ unknown: deep, payload: {} })).toBeUndefined();
    expect(flaw({ payload: deep })).toBe('payload must be an object');
    expect(flaw({ payload: { handoff_id: deep } })).toBe('payload.handoff_id must be a string');
    expect(start({ participants: deep })).toBe('payload.participants[0] must be a string');
  });

  it('write the doubles that JSON has no numbers for', () => {
    const signal = {
      signalType: 's',
      data: new Uint8Array(0),
      confidence: Number.NaN,
      correlationSessionId: '',
    };
    const envelope = {
      ...BASE,
      macpVersion: '1.0',
      mode: '',
      messageType: 'Signal',
      messageId: 'm',
      sessionId: '',
      timestampUnixMs: 0,
      payload: codec.encode('Signal', signal),
    };
    expect(envelopeToJson(envelope, codec)).toMatchObject({ payload: { confidence: 'NaN' } });
    expect(flaw({ message_type: 'Signal', mode: '', payload: { confidence: 'Infinity' } })).toBeUndefined();
    expect(flaw({ message_type: 'Signal', mode: '', payload: { confidence: '1' } })).toContain(
      'must be a number',
    );
  });

  it('have no form for a time that has none', () => {
    const [envelope] = fc.sample(known, 1);
    expect(() => envelopeToJson({ ...(envelope as Envelope), timestampUnixMs: -1 }, codec)).toThrow(
      'RFC 3339',
    );
  });
});
