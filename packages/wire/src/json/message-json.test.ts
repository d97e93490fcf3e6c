import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../test/conformance/verifies.js';
import { type DescMessage, decodeMessage, encodeEnvelope, encodeMessage, pb } from '../index.js';
import { isMembers, type JsonMembers, writeJson } from './json-value.js';
import { messageFromJson, messageToJson } from './message-json.js';
import { parseJson } from './parse-json.js';

function bytesOf(schema: DescMessage, text: string): Uint8Array | string {
  const parsed = parseJson(text);
  if ('flaw' in parsed) return parsed.flaw;
  const reading = messageFromJson(schema, parsed.value);
  return 'flaw' in reading ? reading.flaw : reading.bytes;
}

function read<D extends DescMessage>(schema: D, text: string) {
  const bytes = bytesOf(schema, text);
  if (typeof bytes === 'string') return bytes;
  const message = decodeMessage(schema, bytes);
  if (!message) throw new Error('not the message');
  const { $typeName: _, ...fields } = message;
  return fields;
}

const write = (schema: DescMessage, fields: object) =>
  messageToJson(schema, encodeMessage(schema, fields as never)) ?? 'not the message';
const hex = (bytes: Uint8Array | string) =>
  typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('hex');

const envelope = (more: string, type = 'Signal', mode = '') =>
  `{"macp_version":"1.0","mode":"${mode}","message_type":"${type}","message_id":"m","session_id":"","sender":"a"${more}}`;
const PROPOSAL = 'macp.mode.proposal.v1';
const HANDOFF = 'macp.mode.handoff.v1';
/** Each for policy_version. */
const MISSPELT = [
  'policy_id',
  'policyversion',
  'policy',
  'PolicyVersion',
  'policy-version',
  'polciy_version',
  'policy_versin',
];

describe('JSON of messages', () => {
  it(`${verifies('macp-2026:16:names')}has the names of the proto files`, () => {
    expect(read(pb.GetSessionRequestSchema, '{"session_id":"s"}')).toMatchObject({ sessionId: 's' });
    expect(
      read(pb.GetSessionRequestSchema, '{"session":"s","other_id":"s","more":[{"aB":1}]}'),
    ).toMatchObject({
      sessionId: '',
    });
    expect(write(pb.GetSessionRequestSchema, { sessionId: 's' })).toBe('{"session_id":"s"}');
  });

  it(`${verifies('macp-2026:16:camel-case')}refuses a name that is meant for a field, where that one is not there`, () => {
    const start = pb.SessionStartPayloadSchema;
    for (const name of MISSPELT)
      expect(read(start, `{"${name}":"p"}`)).toBe(`${name} must be called policy_version`);
    for (const name of MISSPELT)
      expect(read(start, `{"${name}":"q","policy_version":"p"}`)).toEqual(
        read(start, '{"policy_version":"p"}'),
      );
    for (const name of [
      'ttl',
      'policies',
      'contexts',
      'roles',
      'p',
      '__proto__',
      'constructor',
      'x'.repeat(9_999),
    ])
      expect(read(start, `{"${name}":"p"}`)).toEqual(read(start, '{}'));
    expect(read(start, '{"policy_id":null}')).toEqual(read(start, '{}'));
    const reject = envelope(',"payload":{"final":true}', 'Reject', PROPOSAL);
    expect(bytesOf(pb.EnvelopeSchema, reject)).toBe('payload.final must be called terminal');
    expect(read(pb.CommitmentPayloadSchema, '{"outcome_positve":true}')).toBe(
      'outcome_positve must be called outcome_positive',
    );
    expect(read(pb.CommitmentPayloadSchema, '{"policy_id":"p","outcome_positive":true}')).toBe(
      'policy_id must be called policy_version',
    );
  });

  it(`${verifies('macp-2026:16:camel-case')}refuses the camelCase name of a field wherever a message may have it`, () => {
    const start = pb.SessionStartPayloadSchema;
    expect(read(start, '{"policyVersion":"p"}')).toBe('policyVersion must be called policy_version');
    expect(read(start, '{"policy_version":"p","policyVersion":"p"}')).toContain('policyVersion');
    expect(read(pb.CommitmentPayloadSchema, '{"outcome_positive":true,"supersedes":{"sessionId":"s"}}')).toBe(
      'supersedes.sessionId must be called session_id',
    );
    expect(read(pb.RegisterPolicyRequestSchema, '{"policy_descriptor":{"schemaVersion":3}}')).toBe(
      'policy_descriptor.schemaVersion must be called schema_version',
    );
    // Absent is absent; keys of a map and rules of a policy are no names of fields.
    expect(read(start, '{"policyVersion":null,"extensions":{"ttlMs":"AA=="}}')).toMatchObject({ ttlMs: 0n });
    expect(
      read(pb.RegisterPolicyRequestSchema, '{"policy_descriptor":{"rules":{"policyId":1}}}'),
    ).toMatchObject({ policyDescriptor: { rules: '{"policyId":1}' } });
  });

  it(`${verifies('decision:outcome-positive:json')}does not guess an outcome`, () => {
    const said = (payload: string) =>
      read(pb.EnvelopeSchema, envelope(`,"payload":${payload}`, 'Commitment', HANDOFF));
    for (const nothing of ['{}', '{"outcome_positive":null}'])
      expect(said(nothing)).toBe('payload.outcome_positive must be given as true or false');
    expect(said('{"outcomePositive":true}')).toBe('payload.outcomePositive must be called outcome_positive');
    for (const outcome of ['{"outcome_positive":false}', '{"outcome_positive":true}'])
      expect(said(outcome)).toMatchObject({ messageType: 'Commitment' });
  });

  it.each([
    ['9007199254740993', 9007199254740993n],
    ['"9007199254740993"', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['"9223372036854775807"', 9223372036854775807n],
    ['1e3', 1000n],
    ['"1.5e1"', 15n],
    ['1200e-2', 12n],
    ['-0', 0n],
    ['0.0', 0n],
    ['5.0', 5n],
  ])(`${verifies('macp-2026:16:integers')}reads %s as it is`, (text, value) => {
    expect(read(pb.SessionStartPayloadSchema, `{"ttl_ms":${text}}`)).toMatchObject({ ttlMs: value });
  });

  it.each([
    ...['9223372036854775808', '1.5', '"1.5"', '1e-1', '1e400', '1e999999999', '9007199254740993.5'],
    ...['"x"', '""', '" 1"', '"01"', '"+1"', 'true', '[]'],
  ])(`${verifies('macp-2026:16:integers')}refuses %s as an integer`, (text) => {
    expect(read(pb.SessionStartPayloadSchema, `{"ttl_ms":${text}}`)).toMatch(
      /^ttl_ms must be a whole number/,
    );
  });

  it(`${verifies('macp-2026:16:long-numbers')}reads a number of 400 characters, and none that is longer`, () => {
    const ttl = (characters: number) =>
      read(pb.SessionStartPayloadSchema, `{"ttl_ms":1.${'0'.repeat(characters - 2)}}`);
    expect(ttl(400)).toMatchObject({ ttlMs: 1n });
    expect(ttl(401)).toMatch(/^ttl_ms must be a whole number/);
  });

  it(`${verifies('macp-2026:16:integers')}writes a number, and text beyond what a number holds`, () => {
    const ttl = (ttlMs: bigint) => JSON.parse(write(pb.SessionStartPayloadSchema, { ttlMs })).ttl_ms;
    expect([ttl(9007199254740991n), ttl(-9007199254740991n)]).toEqual([9007199254740991, -9007199254740991]);
    expect([ttl(9007199254740992n), ttl(-9007199254740992n)]).toEqual([
      '9007199254740992',
      '-9007199254740992',
    ]);
    expect(read(pb.ListSessionsRequestSchema, '{"page_size":-1}')).toMatchObject({ pageSize: -1 });
    expect(read(pb.ListSessionsRequestSchema, '{"page_size":2147483648}')).toMatch(/page_size/);
    expect(read(pb.StreamSessionRequestSchema, '{"after_sequence":-1}')).toMatch(/after_sequence/);
  });

  it(`${verifies('macp-2026:16:defaults')}writes defaults, and what has presence only when it is set`, () => {
    expect(JSON.parse(write(pb.AckSchema, {}))).toEqual({
      ok: false,
      duplicate: false,
      message_id: '',
      session_id: '',
      accepted_at_unix_ms: 0,
      session_state: 'SESSION_STATE_UNSPECIFIED',
    });
    expect(JSON.parse(write(pb.AckSchema, { error: {} })).error).toEqual({
      code: '',
      message: '',
      session_id: '',
      message_id: '',
      details: '',
    });
    expect(write(pb.StreamSessionResponseSchema, {})).toBe('{}');
    expect(JSON.parse(write(pb.ModeDescriptorSchema, {}))).toMatchObject({
      message_types: [],
      schema_uris: {},
    });
  });

  it(`${verifies('macp-2026:16:null')}takes null for absence, but not in a list or a map`, () => {
    const start = pb.SessionStartPayloadSchema;
    expect(read(start, '{"intent":null,"participants":null,"extensions":null}')).toMatchObject({
      intent: '',
    });
    expect(read(start, '{"participants":["a",null]}')).toBe('participants[1] must not be null');
    expect(read(start, '{"extensions":{"k":null}}')).toBe('a value of extensions must not be null');
    expect(read(pb.SendRequestSchema, '{"envelope":null}')).toMatchObject({});
  });

  it(`${verifies('macp-2026:16:enums')}knows enums by name and by number`, () => {
    const state = (text: string) => read(pb.AckSchema, `{"session_state":${text}}`);
    expect(state('"SESSION_STATE_OPEN"')).toMatchObject({ sessionState: 1 });
    expect(state('2')).toMatchObject({ sessionState: 2 });
    expect(state('77')).toMatchObject({ sessionState: 77 });
    expect(state('"SESSION_STATE_LATER"')).toMatchObject({ sessionState: 0 });
    expect(state('true')).toMatch(/^session_state must be/);
    expect(JSON.parse(write(pb.AckSchema, { sessionState: 2 })).session_state).toBe('SESSION_STATE_RESOLVED');
    expect(JSON.parse(write(pb.AckSchema, { sessionState: 77 })).session_state).toBe(77);
  });

  it(`${verifies('macp-2026:16:bytes')}reads both alphabets, padded or not, and writes one`, () => {
    const data = new Uint8Array([251, 255, 254, 1]);
    for (const text of ['+//+AQ==', '-__-AQ==', '+//+AQ', '-__-AQ'])
      expect(read(pb.SignalPayloadSchema, `{"data":"${text}"}`)).toMatchObject({ data });
    for (const text of ['"+//+AQ="', '"!"', '"A"', '7'])
      expect(read(pb.SignalPayloadSchema, `{"data":${text}}`)).toBe('data must be base64');
    expect(JSON.parse(write(pb.SignalPayloadSchema, { data })).data).toBe('+//+AQ==');
  });

  it(`${verifies('macp-2026:16:floats')}reads and writes what JSON has no number for`, () => {
    const of = (text: string) => read(pb.SignalPayloadSchema, `{"confidence":${text}}`);
    const cases: readonly [string, number][] = [
      ['0.25', 0.25],
      ['"0.25"', 0.25],
      ['1e2', 100],
      ['"NaN"', Number.NaN],
      ['"Infinity"', Number.POSITIVE_INFINITY],
      ['"-Infinity"', Number.NEGATIVE_INFINITY],
    ];
    for (const [text, confidence] of cases) expect(of(text)).toMatchObject({ confidence });
    for (const text of ['1e400', '"x"', '""', 'true', '"inf"', '"+1"'])
      expect(of(text)).toMatch(/^confidence/);
    const written = (confidence: number) =>
      /"confidence":([^,]+),/.exec(write(pb.SignalPayloadSchema, { confidence }))?.[1];
    expect([0.5, Number.NaN, Number.NEGATIVE_INFINITY, -0, 0].map(written)).toEqual([
      '0.5',
      '"NaN"',
      '"-Infinity"',
      '-0.0',
      '0',
    ]);
  });

  it(`${verifies('macp-2026:16:duplicates')}refuses a name that comes twice, at any depth`, () => {
    const twice = 'has a name twice in one object';
    for (const text of [
      '{"a":1,"a":1}',
      '{"x":[{"y":{"b":1,"c":2,"\\u0062":3}}]}',
      '{"__proto__":1,"__proto__":2}',
    ])
      expect(parseJson(text)).toEqual({ flaw: twice });
    expect('value' in parseJson('{"a":{"a":1},"b":[{"a":1},{"a":1}]}')).toBe(true);
  });

  it(`${verifies('macp-2026:16:nesting')}is nested 64 deep and no deeper`, () => {
    const deep = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
    expect('value' in parseJson(deep(64))).toBe(true);
    expect(parseJson(`[${deep(64)}]`)).toEqual({ flaw: 'is nested more than 64 deep' });
    expect(parseJson('['.repeat(100_000))).toEqual({ flaw: 'is nested more than 64 deep' });
  });

  it.each([
    ...['', '{', '{"a"}', '{"a":}', '{,}', '[1,]', '{"a":1,}', '01', '1.', '.5', '+1', 'nul', 'True', "'a'"],
    ...['"\u0001"', '"\\x"', '"\\u12"', '"abc', '1 2', '\ufeff{}', 'NaN', '-', '1e', '[1 2]'],
  ])('is no JSON: %j', (text) => {
    expect(parseJson(text)).toEqual({ flaw: 'is not JSON' });
  });

  it('is written on one line', () => {
    const parsed = parseJson(' { "a" : [ 1.50 , "x\\n\u2028" , null , true ] , "__proto__" : { } } ');
    expect('value' in parsed && writeJson(parsed.value)).toBe(
      '{"a":[1.50,"x\\n\u2028",null,true],"__proto__":{}}',
    );
  });

  it('keeps a key called __proto__, and refuses half characters', () => {
    const text = '{"extensions":{"__proto__":"AQ==","a":"Ag=="}}';
    const bytes = bytesOf(pb.SessionStartPayloadSchema, text);
    const again = messageToJson(pb.SessionStartPayloadSchema, bytes as Uint8Array) ?? '';
    expect(again).toContain('"extensions":{"__proto__":"AQ==","a":"Ag=="}');
    expect(read(pb.GetSessionRequestSchema, '{"session_id":"\\ud800"}')).toMatch(/^session_id must be/);
    expect(read(pb.SessionStartPayloadSchema, '{"extensions":{"\\ud800":""}}')).toMatch(
      /^a key of extensions/,
    );
  });

  it('refuses two members of a choice', () => {
    const both = '{"envelope":{"payload_b64":""},"error":{}}';
    expect(read(pb.StreamSessionResponseSchema, both)).toBe('error and envelope exclude each other');
  });
});

describe('the special places', () => {
  it(`${verifies('macp-2026:16:timestamp')}are the time of an envelope`, () => {
    const of = (text: string) => read(pb.EnvelopeSchema, envelope(`,"payload_b64":""${text}`));
    expect(of(',"timestamp":"2023-11-14T22:13:20Z"')).toMatchObject({ timestampUnixMs: 1700000000000n });
    expect(of(',"timestamp":"2023-11-14T23:13:20.007+01:00"')).toMatchObject({
      timestampUnixMs: 1700000000007n,
    });
    for (const other of ['timestamp_unix_ms', 'timestampUnixMs'])
      expect(of(`,"${other}":7`)).toBe(`${other} must be called timestamp`);
    expect(of(',"timestamp":7')).toMatch(/^timestamp must be an RFC 3339 time/);
    const written = (timestampUnixMs: number) => JSON.parse(json({ timestampUnixMs })).timestamp;
    expect([written(1700000000000), written(1700000000007)]).toEqual([
      '2023-11-14T22:13:20Z',
      '2023-11-14T22:13:20.007Z',
    ]);
    expect(json({})).not.toContain('timestamp_unix_ms');
  });

  it(`${verifies('macp-2026:16:payload')}are its payload, in one of two forms`, () => {
    const of = (text: string) => read(pb.EnvelopeSchema, envelope(text));
    expect(of(',"payload":{"signal_type":"x"}')).toMatchObject({ payload: new Uint8Array([10, 1, 120]) });
    expect(of(',"payload_b64":"CgF4"')).toMatchObject({ payload: new Uint8Array([10, 1, 120]) });
    expect(of('')).toBe('payload or payload_b64 must be there');
    expect(of(',"payload":null,"payload_b64":null')).toBe('payload or payload_b64 must be there');
    expect(of(',"payload":{},"payload_b64":""')).toBe('payload and payload_b64 exclude each other');
    expect(of(',"payload":{},"payload_b64":null')).toMatchObject({ payload: new Uint8Array() });
    expect(of(',"payload":[]')).toBe('payload must be an object');
    expect(of(',"payload_b64":"!"')).toBe('payload_b64 must be base64');
  });

  it(`${verifies('macp-2026:16:payload-type')}whose message follows from mode and type`, () => {
    const of = (type: string, mode: string, payload: string) =>
      hex(bytesOf(pb.EnvelopeSchema, envelope(`,"payload":${payload}`, type, mode))).slice(-12);
    const withPayload = (inner: string) => expect.stringMatching(new RegExp(`42${inner}$`));
    expect(of('HandoffAccept', HANDOFF, '{"handoff_id":"h"}')).toEqual(withPayload('030a0168'));
    expect(of('Vote', 'macp.mode.decision.v1', '{"proposal_id":"p"}')).toEqual(withPayload('030a0170'));
    expect(of('Contribute', 'ext.multi_round.v1', '{"value":"v"}')).toEqual(withPayload('030a0176'));
    expect(of('Commitment', 'ext.anything', '{"commitment_id":"c","outcome_positive":false}')).toEqual(
      withPayload('030a0163'),
    );
    const flaw = (type: string, mode: string) =>
      read(pb.EnvelopeSchema, envelope(',"payload":{}', type, mode));
    for (const mode of ['ext.handoff.v1', 'macp.mode.handoff.v2', 'decision'])
      expect(flaw('HandoffAccept', mode)).toBe(
        `mode "${mode}" is not built in, so its payloads are bytes: send payload_b64, or correct the name`,
      );
    for (const type of ['Vote', 'Odd', '../Vote'])
      expect(flaw(type, HANDOFF)).toBe(
        `message_type "${type}" is not part of ${HANDOFF}, which has SessionStart, HandoffOffer, HandoffContext, HandoffAccept, HandoffDecline, Commitment`,
      );
    expect(flaw('', HANDOFF)).toBe('message_type is empty');
    expect(flaw('Vote', '')).toBe('mode is empty');
  });

  it(`${verifies('macp-2026:16:exact-payload')}and is JSON only where nothing is lost`, () => {
    const members = (bytes: readonly number[], messageType = 'Signal') =>
      JSON.parse(json({ messageType, payload: new Uint8Array(bytes) })) as Record<string, unknown>;
    const type = [10, 1, 120];
    expect(members(type)).toMatchObject({ payload: { signal_type: 'x', data: '', confidence: 0 } });
    expect(members([])).toMatchObject({ payload: { signal_type: '' } });
    const others: readonly (readonly number[])[] = [
      [...type, 0x78, 1], // a field that is not known
      [...type, 18, 0], // a default that is written
      [18, 1, 1, ...type], // another order
      [...type, ...type], // twice
      [10, 0x81, 0, 120], // a length in more bytes than it takes
      [10, 1, 0xff], // no UTF-8
      [10], // no message
    ];
    for (const bytes of others) {
      const written = members(bytes);
      expect(written.payload, String(bytes)).toBeUndefined();
      expect(written.payload_b64).toBe(Buffer.from(bytes).toString('base64'));
    }
    expect(members(type, 'Odd')).toMatchObject({ payload_b64: 'CgF4' });
  });

  it(`${verifies('macp-2026:16:rules')}are the rules of a policy`, () => {
    const rules = (text: string) => read(pb.PolicyDescriptorSchema, `{"rules":${text}}`);
    expect(rules('{ "a" : { "b" : [ 1.0 , 9007199254740993 ] } }')).toMatchObject({
      rules: '{"a":{"b":[1.0,9007199254740993]}}',
    });
    expect(rules('"not { json"')).toMatchObject({ rules: 'not { json' });
    expect(rules('[]')).toBe('rules must be an object or text');
    const written = (text: string) => JSON.parse(write(pb.PolicyDescriptorSchema, { rules: text })).rules;
    expect(written('{"a":{}}')).toEqual({ a: {} });
    for (const text of ['', '[]', '7', '{', '{"a":1,"a":2}', '"x"']) expect(written(text)).toBe(text);
  });
});

describe('bytes of a payload', () => {
  it(`${verifies('macp-2026:16:deterministic')}do not depend on how it is written`, () => {
    const start = (text: string) => hex(bytesOf(pb.SessionStartPayloadSchema, text));
    const one = start(
      '{"intent":"i","extensions":{"b":"AQ==","a":"","10":"","9":"","\u{1f600}":"","\ufb00":""},"ttl_ms":5}',
    );
    expect(
      start(
        '{"ttl_ms":5,"later":1,"extensions":{"\u{1f600}":"","\ufb00":"","9":"","10":"","a":"","b":"AQ=="},"intent":"i","context_id":""}',
      ),
    ).toBe(one);
    // By the bytes of the keys: 10, 9, a, b, U+FB00 (ef…), U+1F600 (f0…); key and value are always there.
    expect(one).toBe(
      '0a01693005' +
        '4a060a0231301200' +
        '4a050a01391200' +
        '4a050a01611200' +
        '4a060a0162120101' +
        '4a070a03efac801200' +
        '4a080a04f09f98801200',
    );
    const signal = (text: string) => hex(bytesOf(pb.SignalPayloadSchema, text));
    expect(signal('{"confidence":-0.0}')).toBe('190000000000000080');
    expect(signal('{"confidence":0}')).toBe('');
    expect(signal('{"confidence":"NaN"}')).toBe('19000000000000f87f');
    expect(hex(bytesOf(pb.CommitmentPayloadSchema, '{"outcome_positive":false,"supersedes":{}}'))).toBe(
      '4a00',
    );
  });
});

function json(fields: object): string {
  const base = {
    macpVersion: '1.0',
    mode: '',
    messageType: 'Signal',
    messageId: 'm',
    sessionId: '',
    sender: 'a',
  };
  const bytes = encodeEnvelope({ ...base, timestampUnixMs: 0, payload: new Uint8Array(), ...fields });
  return messageToJson(pb.EnvelopeSchema, bytes) ?? 'not the message';
}

describe('what is read', () => {
  it('are members in order', () => {
    const parsed = parseJson('{"b":1,"a":2}');
    const members = ('value' in parsed && isMembers(parsed.value) ? parsed.value : new Map()) as JsonMembers;
    expect([...members.keys()]).toEqual(['b', 'a']);
  });
});
