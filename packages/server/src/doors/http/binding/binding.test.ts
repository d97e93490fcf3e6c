import { connect } from 'node:net';
import { methods } from '@handover/wire';
import { afterEach, describe, expect, it } from 'vitest';
import { verifies } from '../../../../../../test/conformance/verifies.js';
import { message, SESSION, startMessage } from '../json-messages.test.helper.js';
import { closeAll, serve } from './binding.test.helper.js';

afterEach(closeAll);

const OPEN = ['Initialize', 'GetManifest', 'ListModes', 'ListRoots', 'ListExtModes', 'GetReceiptKeys'];
const STREAMS = Object.values(methods)
  .filter(({ responseStream }) => responseStream)
  .map(({ name }) => name);
const TOKENS = JSON.stringify([
  { token: 'token-of-alice', sender: 'alice' },
  { token: 'token-of-bob', sender: 'bob' },
]);
const env = { MACP_AUTH_TOKENS_JSON: TOKENS };
/** With an envelope's members in the names of the protocol. */
const envelope = (fields: object = {}) => ({ envelope: startMessage(fields as never) });
const errorOf = (code: string) => ({
  error: {
    code,
    message: expect.any(String),
    session_id: expect.any(String),
    message_id: '',
    details: expect.any(String),
  },
});

describe('requests', () => {
  it(`${verifies('macp-2026:17.1:path')}reach every RPC, below the path of the base and without it`, async () => {
    const { call } = await serve({ env: { MCP_PUBLIC_BASE_URL: 'https://macp.example/under/here/' } });
    for (const { name } of Object.values(methods)) {
      // Not JSON: every RPC that is there says so.
      for (const prefix of ['/under/here/macp/v1', '/macp/v1'])
        expect([name, (await call(`${prefix}/${name}`, '[', { as: 'alice' })).status]).toEqual([name, 400]);
    }
    expect((await call('/here/macp/v1/ListModes')).status).toBe(404);
    expect((await call('/under/here/macp/v1/ListModes')).json.modes).not.toEqual([]);
  });

  it(`${verifies('macp-2026:17.1:media-type')}are JSON in UTF-8`, async () => {
    const { call } = await serve();
    const send = (type: string) => call('ListRoots', '{}', { headers: { 'content-type': type } });
    for (const type of [
      'application/json',
      'Application/JSON; charset=UTF-8',
      'application/json;charset="utf-8"',
    ])
      expect([type, (await send(type)).status]).toEqual([type, 200]);
    for (const type of [
      'text/plain',
      'application/json; charset=latin1',
      'application/json; version=1',
      'application/macp-envelope+json',
      'application/macp-envelope+proto',
      '',
    ]) {
      const { status, text } = await send(type);
      expect([type, status, text]).toEqual([type, 415, '']);
    }
    const packed = await call('ListRoots', '{}', { headers: { 'content-encoding': 'gzip' } });
    expect([packed.status, packed.text]).toEqual([415, '']);
  });

  it(`${verifies('macp-2026:17.1:methods')}are POST to a method that there is`, async () => {
    const { call } = await serve();
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, headers, text } = await call('Send', undefined, { method });
      expect([method, status, headers.get('allow'), text]).toEqual([method, 405, 'POST', '']);
    }
    for (const name of ['send', 'Nothing', '', 'Send/', 'Send/x', '__proto__', 'constructor'])
      for (const method of ['POST', 'GET']) {
        const { status, text } = await call(name, {}, { method });
        expect([name, status, text]).toEqual([name, 404, '']);
      }
  });

  it(`${verifies('macp-2026:17.1:credential')}bring a bearer, where one is asked for`, async () => {
    const { call } = await serve({ env });
    for (const { name } of Object.values(methods)) {
      const asked = await call(name, '[');
      expect([name, asked.status]).toEqual([name, OPEN.includes(name) ? 400 : 401]);
    }
    const other: readonly Readonly<Record<string, string>>[] = [
      { 'x-macp-token': 'token-of-alice' },
      { cookie: 'token=token-of-alice' },
      { authorization: 'Basic dG9rZW46dG9rZW4=' },
      { authorization: 'Bearer not-a-token' },
    ];
    for (const headers of other) {
      const { status, headers: said, json } = await call('ListSessions', {}, { headers });
      expect([status, said.get('www-authenticate'), json]).toEqual([
        401,
        'Bearer',
        errorOf('UNAUTHENTICATED'),
      ]);
    }
    expect((await call('ListSessions', {}, { as: 'token-of-alice' })).json).toEqual({
      sessions: [],
      next_page_token: '',
    });
    // An open RPC does not look at it.
    expect((await call('ListRoots', {}, { as: 'not-a-token' })).status).toBe(200);
  });

  it(`${verifies('macp-2026:17.1:credential')}need none in dev mode: there the caller is the default agent`, async () => {
    const { call } = await serve();
    const { json } = await call('Send', envelope());
    expect(json.ack).toMatchObject({ ok: true });
    expect((await call('GetSession', { session_id: SESSION })).json.metadata.initiator).toBe('dev');
  });

  it(`${verifies('macp-2026:17.1:order')}are refused in one order`, async () => {
    const { call } = await serve({ env: { ...env, MACP_MAX_PAYLOAD_BYTES: '1024' } });
    const wrong = { 'content-type': 'text/plain', accept: 'application/json' };
    const large = `{"a":"${'x'.repeat(100_000)}"`;
    const ask = async (headers: Record<string, string>, as?: string) =>
      (await call('WatchSignals', large, { headers, ...(as !== undefined && { as }) })).status;
    expect(await ask(wrong)).toBe(415);
    expect(await ask({ accept: 'application/json' })).toBe(406);
    expect(await ask({})).toBe(401);
    expect(await ask({}, 'token-of-alice')).toBe(413);
    expect((await call('WatchSignals', '{', { as: 'token-of-alice' })).status).toBe(400);
  });
});

describe('answers', () => {
  it(`${verifies('macp-2026:17.2:send')}to Send are Acks, also of what is refused`, async () => {
    const { call } = await serve();
    const sent = await call('Send', envelope(), { as: 'alice' });
    expect(sent.status).toBe(200);
    expect(sent.headers.get('content-type')).toBe('application/json');
    expect(sent.json).toEqual({
      ack: {
        ok: true,
        duplicate: false,
        message_id: 'SessionStart-1',
        session_id: SESSION,
        accepted_at_unix_ms: expect.any(Number),
        session_state: 'SESSION_STATE_OPEN',
      },
    });
    expect((await call('Send', envelope(), { as: 'alice' })).json.ack).toMatchObject({ duplicate: true });
    const refused: readonly [string, object][] = [
      ['INVALID_ENVELOPE', { envelope: 7 }],
      ['INVALID_ENVELOPE', { envelope: [] }],
      ['INVALID_ENVELOPE', { envelope: {} }],
      ['INVALID_ENVELOPE', envelope({ payload: undefined })],
      ['INVALID_ENVELOPE', envelope({ payload_b64: '' })],
      ['INVALID_ENVELOPE', envelope({ timestamp: 'yesterday' })],
      ['INVALID_ENVELOPE', envelope({ payload: { ttl_ms: 1.5 } })],
      ['UNSUPPORTED_PROTOCOL_VERSION', envelope({ macp_version: '2.0' })],
      ['UNAUTHENTICATED', envelope({ sender: 'bob' })],
      ['MODE_NOT_SUPPORTED', envelope({ mode: 'ext.none', session_id: 'x'.repeat(32) })],
      [
        'SESSION_NOT_FOUND',
        { envelope: message('HandoffAccept', { handoff_id: 'h' }, { session_id: 'no' }) },
      ],
    ];
    for (const [code, body] of refused) {
      const { status, headers, json } = await call('Send', body, { as: 'alice' });
      expect([code, status, headers.get('macp-error-code')]).toEqual([code, 200, null]);
      expect(json.ack).toMatchObject({
        ok: false,
        session_state: 'SESSION_STATE_UNSPECIFIED',
        error: { code },
      });
    }
    const named = await call('Send', envelope({ timestamp: 1 }), { as: 'alice' });
    expect(named.json.ack).toMatchObject({ message_id: 'SessionStart-1', session_id: SESSION });
    expect(named.json.ack.error.message).toMatch(/^timestamp must be/);
  });

  it(`${verifies('macp-2026:16:camel-case', 'decision:outcome-positive:json')}to camelCase names say what the field is called`, async () => {
    const { call } = await serve();
    const sent = async (body: object) => (await call('Send', body, { as: 'alice' })).json.ack;
    // Ignored, the session would be governed by another policy than the one that was asked for.
    const start = { envelope: startMessage({}, { policyVersion: 'policy.std.unanimous' }) };
    expect(await sent(start)).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ENVELOPE', message: 'payload.policyVersion must be called policy_version' },
    });
    expect(await sent(envelope({ timestamp_unix_ms: 1 }))).toMatchObject({
      error: { code: 'INVALID_ENVELOPE', message: 'timestamp_unix_ms must be called timestamp' },
    });
    expect(await sent(envelope())).toMatchObject({ ok: true });
    // And the receipt would say the opposite of what was said.
    for (const payload of [{ outcomePositive: true }, {}]) {
      const commitment = {
        commitment_id: 'c',
        action: 'deploy',
        authority_scope: 'all',
        reason: 'r',
        ...payload,
      };
      expect(await sent({ envelope: message('Commitment', commitment) })).toMatchObject({
        error: {
          code: 'INVALID_ENVELOPE',
          message: expect.stringMatching(/^payload\.outcome_?[pP]ositive must/),
        },
      });
    }
    const asked = await call('GetSession', { sessionId: SESSION }, { as: 'alice' });
    expect([asked.status, asked.json.error]).toEqual([
      400,
      expect.objectContaining({ code: 'INVALID_REQUEST', message: 'sessionId must be called session_id' }),
    ]);
    const bytes = await sent(envelope({ payload: 'AA==' }));
    expect(bytes.error.message).toBe('payload must be an object; bytes in base64 are payload_b64');
  });

  it('to Send name the wait in the header, too, where waiting helps', async () => {
    const { call } = await serve({ env: { MACP_SESSION_START_LIMIT_PER_MINUTE: '1' } });
    expect((await call('Send', envelope(), { as: 'alice' })).headers.get('retry-after')).toBeNull();
    const { status, headers, json } = await call('Send', envelope({ session_id: 'x'.repeat(22) }), {
      as: 'alice',
    });
    expect([status, json.ack.error.code]).toEqual([200, 'RATE_LIMITED']);
    const { retry_after_ms } = JSON.parse(Buffer.from(json.ack.error.details, 'base64').toString());
    expect(headers.get('retry-after')).toBe(String(Math.ceil(retry_after_ms / 1_000)));
  });

  it(`${verifies('macp-2026:17.2:request-level')}to what carries no envelope are 400`, async () => {
    const { call } = await serve();
    for (const body of [
      '',
      '{',
      '[]',
      '7',
      'null',
      '{}',
      '{"envelope":null}',
      '{"a":1,"a":2,"envelope":{}}',
    ]) {
      const { status, headers, json } = await call('Send', body, { as: 'alice' });
      expect([body, status, headers.get('macp-error-code')]).toEqual([body, 400, 'INVALID_REQUEST']);
      expect(json).toEqual(errorOf('INVALID_REQUEST'));
    }
    const twice = JSON.stringify(envelope()).replace('"intent"', '"ttl_ms":1,"intent"');
    expect((await call('Send', twice, { as: 'alice' })).status).toBe(400);
    const deep = `{"envelope":${'['.repeat(70)}${']'.repeat(70)}}`;
    expect((await call('Send', deep, { as: 'alice' })).json.error.message).toContain('64 deep');
    const many = `{"envelope":{},"x":[${'0,'.repeat(20_000)}0]}`;
    expect((await call('Send', many, { as: 'alice' })).json.error.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it(`${verifies('macp-2026:17.2:errors')}that refuse say the code in body and header`, async () => {
    const { call } = await serve();
    await call('Send', envelope(), { as: 'alice' });
    const refused: readonly [number, string, string, object][] = [
      [400, 'INVALID_REQUEST', 'GetSession', { session_id: 7 }],
      [404, 'SESSION_NOT_FOUND', 'GetSession', { session_id: 'no' }],
      [403, 'FORBIDDEN', 'GetSession', { session_id: SESSION }],
      [404, 'SESSION_NOT_FOUND', 'CancelSession', { session_id: 'no' }],
      [403, 'FORBIDDEN', 'CancelSession', { session_id: SESSION }],
      [400, 'INVALID_REQUEST', 'Initialize', {}],
      [400, 'UNSUPPORTED_PROTOCOL_VERSION', 'Initialize', { supported_protocol_versions: ['9'] }],
      [404, 'AGENT_NOT_FOUND', 'GetManifest', { agent_id: 'no' }],
      [400, 'INVALID_REQUEST', 'ListSessions', { page_size: -1 }],
      [400, 'INVALID_REQUEST', 'ListSessions', { page_token: 'no' }],
      [404, 'UNKNOWN_POLICY_VERSION', 'GetPolicy', { policy_id: 'no' }],
      [400, 'INVALID_REQUEST', 'RegisterPolicy', {}],
      [400, 'INVALID_REQUEST', 'RegisterExtMode', {}],
    ];
    for (const [status, code, method, body] of refused) {
      const answer = await call(method, body, { as: 'mallory' });
      expect([method, answer.status, answer.headers.get('macp-error-code')]).toEqual([method, status, code]);
      expect(answer.json).toEqual(errorOf(code));
    }
    expect((await call('GetSession', { session_id: 'no' }, { as: 'a' })).json.error.session_id).toBe('no');
    const host = await call('ListRoots', {}, { headers: { origin: 'https://evil.example' } });
    expect([host.status, host.json]).toEqual([403, errorOf('FORBIDDEN')]);
  });

  it('of GetPolicy show what is registered now; a session keeps what it froze under that id', async () => {
    const { call } = await serve();
    const as = 'alice';
    const register = async (authority: string) => {
      const rules = { commitment: { authority } };
      const policy_descriptor = { policy_id: 'p', mode: '*', schema_version: 1, rules };
      expect((await call('RegisterPolicy', { policy_descriptor }, { as })).json).toMatchObject({ ok: true });
    };
    await register('initiator_only');
    const start = { envelope: startMessage({}, { policy_version: 'p' }) };
    expect((await call('Send', start, { as })).json.ack).toMatchObject({ ok: true });
    await call('UnregisterPolicy', { policy_id: 'p' }, { as });
    await register('any_participant');
    const shown = (await call('GetPolicy', { policy_id: 'p' }, { as })).json.policy_descriptor;
    expect(shown.rules.commitment.authority).toBe('any_participant');
    const commit = message('Commitment', { commitment_id: 'c', outcome_positive: false });
    expect((await call('Send', { envelope: commit }, { as: 'bob' })).json.ack.error).toMatchObject({
      code: 'FORBIDDEN',
      message: 'p does not let this sender commit',
    });
  });

  it('of the registries hold what was asked for', async () => {
    const { call } = await serve();
    const as = 'alice';
    const rules = { commitment: { authority: 'initiator_only' } };
    const policy_descriptor = { policy_id: 'p', mode: '*', description: 'd', schema_version: 2, rules };
    expect((await call('RegisterPolicy', { policy_descriptor }, { as })).json).toEqual({
      ok: true,
      error: '',
    });
    expect((await call('RegisterPolicy', { policy_descriptor }, { as })).json).toMatchObject({ ok: false });
    expect((await call('GetPolicy', { policy_id: 'p' }, { as })).json.policy_descriptor).toEqual({
      ...policy_descriptor,
      registered_at_unix_ms: expect.any(Number),
    });
    const { descriptors } = (await call('ListPolicies', {}, { as })).json;
    expect(descriptors).toContainEqual({ ...policy_descriptor, registered_at_unix_ms: expect.any(Number) });
    expect((await call('UnregisterPolicy', { policy_id: 'p' }, { as })).json.ok).toBe(true);
    const mode_descriptor = {
      mode: 'ext.chat.v1',
      mode_version: '1.0.0',
      message_types: ['SessionStart', 'Say', 'Commitment'],
      terminal_message_types: ['Commitment'],
    };
    expect((await call('RegisterExtMode', { mode_descriptor }, { as })).json).toEqual({
      ok: true,
      error: '',
    });
    expect((await call('ListExtModes')).json.modes).toMatchObject([
      { mode: 'ext.chat.v1', schema_uris: {} },
      { mode: 'ext.multi_round.v1' },
    ]);
    expect(
      (await call('PromoteMode', { mode: 'ext.chat.v1', promoted_mode_name: 'chat' }, { as })).json,
    ).toMatchObject({
      ok: true,
      mode: 'chat',
    });
    const initialized = await call('Initialize', { supported_protocol_versions: ['1.0'] });
    expect(initialized.json).toMatchObject({
      selected_protocol_version: '1.0',
      runtime_info: { name: 'handover', website_url: '' },
      capabilities: { sessions: { stream: true }, roots: { list_changed: false } },
    });
  });

  it('of sessions are those of the other doors', async () => {
    const { call, harness } = await serve();
    await call('Send', envelope(), { as: 'alice' });
    const { json } = await call('GetSession', { session_id: SESSION }, { as: 'bob' });
    const other = await (await harness.request(`/macp/session/${SESSION}`, { as: 'bob' })).json();
    expect(json.metadata).toEqual(other);
    expect((await call('ListSessions', {}, { as: 'bob' })).json.sessions).toMatchObject([
      { session_id: SESSION, participant_activity: [] },
    ]);
    const steer = async (method: string) =>
      (await call(method, { session_id: SESSION, reason: 'r' }, { as: 'alice' })).json.ack;
    expect(await steer('SuspendSession')).toMatchObject({
      ok: true,
      session_state: 'SESSION_STATE_SUSPENDED',
    });
    expect(await steer('SuspendSession')).toMatchObject({ ok: false, error: { code: 'SESSION_NOT_OPEN' } });
    expect(await steer('ResumeSession')).toMatchObject({ ok: true, session_state: 'SESSION_STATE_OPEN' });
    expect(await steer('CancelSession')).toMatchObject({
      ok: true,
      session_state: 'SESSION_STATE_CANCELLED',
    });
  });

  it(`${verifies('macp-2026:17.2:time-out')}that do not come in time are 500`, async () => {
    const { port } = await serve({ requestTimeoutMs: 100 });
    const head = ['POST /macp/v1/ListRoots HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`${head.join('\r\n')}\r\nContent-Length: 9\r\n\r\n{`),
      );
      let text = '';
      socket.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1.1 500 /);
    expect(answer).toMatch(/macp-error-code: INTERNAL_ERROR/i);
    expect(answer).toContain('{"error":{"code":"INTERNAL_ERROR"');
  });

  it(`${verifies('macp-2026:17.2:cap')}to a body that is too large are 413`, async () => {
    const { call } = await serve({ env: { MACP_MAX_PAYLOAD_BYTES: '3000' } });
    const cap = 4_000 + 65_536;
    const of = (bytes: number) => `{"x":"${'x'.repeat(bytes - 8)}"}`;
    expect((await call('Send', of(cap), { as: 'alice' })).status).toBe(400);
    const { status, json } = await call('Send', of(cap + 1), { as: 'alice' });
    expect([status, json]).toEqual([413, errorOf('PAYLOAD_TOO_LARGE')]);
    // A payload of the limit fits; one more is refused by the rule for payloads.
    const sized = (bytes: number) => {
      const text = Buffer.alloc(bytes - 6).toString('base64');
      return { envelope: message('HandoffContext', { handoff_id: 'h', context: text }) };
    };
    expect((await call('Send', sized(3_000), { as: 'alice' })).json.ack.error.code).toBe('SESSION_NOT_FOUND');
    expect((await call('Send', sized(3_001), { as: 'alice' })).json.ack.error.code).toBe('PAYLOAD_TOO_LARGE');
  });
});

describe('discovery', () => {
  it(`${verifies('macp-2026:17.4:well-known')}is open at the root`, async () => {
    const { call } = await serve({ env });
    const path = '/.well-known/macp.json';
    const got = await call(path, undefined, { method: 'GET' });
    expect([got.status, got.headers.get('content-type')]).toEqual([200, 'application/macp-manifest+json']);
    expect(got.json).toMatchObject({ agent_id: 'handover', metadata: {}, transport_endpoints: [] });
    const head = await call(path, undefined, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, headers } = await call(path, {}, { method });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  it(`${verifies('macp-2026:3.8:endpoints')}names the address of the binding, if there is a public one`, async () => {
    const uri = 'https://macp.example/here';
    const { call } = await serve({ env: { MCP_PUBLIC_BASE_URL: `${uri}/` } });
    const endpoints = [
      { transport: 'macp.transport.http.v1', uri, content_types: ['application/json'], metadata: {} },
    ];
    expect((await call('GetManifest')).json.manifest.transport_endpoints).toEqual(endpoints);
    const { json } = await call('/.well-known/macp.json', undefined, { method: 'GET' });
    expect(json.transport_endpoints).toEqual(endpoints);
    const without = await serve();
    expect((await without.call('GetManifest')).json.manifest.transport_endpoints).toEqual([]);
  });

  it(`${verifies('macp-2026:17.4:no-cors')}opens nothing to pages`, async () => {
    const { call } = await serve({ env: { HANDOVER_ALLOWED_ORIGINS: 'https://app.example' } });
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    const preflight = await call('Send', undefined, { method: 'OPTIONS', headers });
    const answer = await call('ListRoots', {}, { headers: { origin: 'https://app.example' } });
    expect([preflight.status, answer.status]).toEqual([405, 200]);
    for (const said of [preflight.headers, answer.headers]) {
      expect([...said.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(said.get('vary')).toContain('Origin');
      expect(said.get('set-cookie')).toBeNull();
    }
  });
});

describe('streams', () => {
  it(`${verifies('macp-2026:17.3:accept')}are for who takes events`, async () => {
    const { call, stream } = await serve();
    for (const name of STREAMS)
      for (const accept of ['application/json', 'text/event-stream;q=0, */*', 'text/html'])
        expect((await call(name, {}, { as: 'a', headers: { accept } })).status).toBe(406);
    const { json, headers } = await call('WatchRoots', {}, { headers: { accept: 'text/plain' } });
    expect([headers.get('macp-error-code'), json]).toEqual(['INVALID_REQUEST', errorOf('INVALID_REQUEST')]);
    for (const accept of ['text/event-stream', 'text/*', '*/*', 'text/html, text/event-stream;q=0.1'])
      expect((await stream('WatchRoots', {}, { headers: { accept } })).status).toBe(200);
  });
});
