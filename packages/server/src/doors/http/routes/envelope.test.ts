import { CoreMessageType, envelopeFromJson, FaultCode, HandoverError } from '@handover/core';
import { createMemoryStore } from '@handover/engine';
import { encodeEnvelope } from '@handover/wire';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../../../test/conformance/verifies.js';
import { nodeCodec as codec } from '../../../platform/node-codec.js';
import { bodyLimit } from '../body.js';
import { createHarness } from '../http-harness.test.helper.js';
import {
  acceptMessage,
  commitMessage,
  contextMessage,
  message,
  offerMessage,
  post,
  SESSION,
  startMessage,
} from '../json-messages.test.helper.js';

const TOKENS = JSON.stringify([
  { token: 'token-alice', sender: 'alice' },
  { token: 'token-bob', sender: 'bob' },
]);

describe('POST /macp/envelope', () => {
  it(`${verifies('decision:http:bodies', 'decision:http:answers')}takes an Envelope and answers an Ack`, async () => {
    const harness = createHarness();
    const answer = await harness.request('/macp/envelope', { as: 'alice', body: startMessage() });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({
      ok: true,
      duplicate: false,
      message_id: 'SessionStart-1',
      session_id: SESSION,
      accepted_at_unix_ms: harness.clock.now,
      session_state: 'SESSION_STATE_OPEN',
    });
  });

  it('carries a whole handoff', async () => {
    const harness = createHarness();
    await post(harness, 'alice', startMessage());
    await post(harness, 'alice', offerMessage());
    await post(harness, 'alice', contextMessage('c1', 'read this'));
    await post(harness, 'bob', acceptMessage());
    const answer = await harness.request('/macp/envelope', { as: 'alice', body: commitMessage() });
    expect(await answer.json()).toMatchObject({ ok: true, session_state: 'SESSION_STATE_RESOLVED' });
  });

  it('answers a retry as a duplicate', async () => {
    const harness = createHarness();
    await post(harness, 'alice', startMessage());
    harness.clock.now += 5;
    const answer = await harness.request('/macp/envelope', { as: 'alice', body: startMessage() });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ ok: true, duplicate: true });
  });

  it('takes application/macp-envelope+json and protobuf', async () => {
    const harness = createHarness();
    const json = { 'content-type': 'application/macp-envelope+json' };
    const first = await harness.request('/macp/envelope', {
      as: 'alice',
      body: startMessage(),
      headers: json,
    });
    expect(first.status).toBe(200);
    const reading = envelopeFromJson(offerMessage(), codec);
    if ('rejection' in reading) throw new Error(reading.rejection.message);
    const headers = { 'content-type': 'application/macp-envelope+proto' };
    const body = encodeEnvelope(reading.envelope);
    const second = await harness.request('/macp/envelope', { as: 'alice', body, headers });
    expect(await second.json()).toMatchObject({ ok: true, message_id: 'HandoffOffer-1' });
    const third = await harness.request('/macp/envelope', { as: 'alice', body: 'no', headers });
    expect(third.status).toBe(400);
  });

  it.each([
    [
      'an unknown session',
      'alice',
      offerMessage({ session_id: SESSION.replace('0191', '0192') }),
      404,
      'SESSION_NOT_FOUND',
    ],
    ['an outsider', 'mallory', offerMessage(), 403, 'FORBIDDEN'],
    ['an id in use', 'alice', startMessage({ message_id: 'other' }), 409, 'SESSION_ALREADY_EXISTS'],
    ['another version', 'alice', offerMessage({ macp_version: '2.0' }), 400, 'UNSUPPORTED_PROTOCOL_VERSION'],
    ['another sender', 'alice', offerMessage({ sender: 'bob' }), 401, 'UNAUTHENTICATED'],
    ['a wrong field', 'alice', offerMessage({ sender: 5 }), 400, 'INVALID_ENVELOPE'],
    [
      'an unserved mode',
      'alice',
      startMessage({ mode: 'macp.mode.auction.v1', session_id: SESSION.replace('0191', '0193') }),
      400,
      'MODE_NOT_SUPPORTED',
    ],
    ['a bad session id', 'alice', startMessage({ session_id: 'short' }), 400, 'INVALID_SESSION_ID'],
    [
      'an unknown policy',
      'alice',
      startMessage({ session_id: SESSION.replace('0191', '0194') }, { policy_version: 'p' }),
      404,
      'UNKNOWN_POLICY_VERSION',
    ],
  ])('refuses %s with the status of its code', async (_, as, body, status, code) => {
    const harness = createHarness();
    await post(harness, 'alice', startMessage());
    const answer = await harness.request('/macp/envelope', { as, body });
    expect(answer.status).toBe(status);
    const ack = (await answer.json()) as Record<string, unknown>;
    expect(ack).toMatchObject({
      ok: false,
      message_id: body.message_id,
      session_id: body.session_id,
      session_state: 'SESSION_STATE_UNSPECIFIED',
      error: { code, session_id: body.session_id, message_id: body.message_id, details: '' },
    });
    if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each([
    ['', 'the envelope must be a JSON object'],
    ['{', 'the body is not JSON'],
    ['[]', 'the envelope must be a JSON object'],
    ['null', 'the envelope must be a JSON object'],
    ['\ufeff{}', 'the body is not JSON'],
    ['{"payload":{"a":1,"a":2}}', 'the body payload.a is there twice'],
    ['['.repeat(100_000), 'the body is nested more than 32 deep'],
    [`{"payload":${'{"a":'.repeat(40)}1${'}'.repeat(41)}`, 'the body is nested more than 32 deep'],
    [new Uint8Array([0x22, 0xff, 0x22]), 'the body is not UTF-8'],
  ])('refuses the body %j', async (body, text) => {
    const answer = await createHarness().request('/macp/envelope', { as: 'alice', body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ENVELOPE', message: text },
    });
  });

  it('refuses a body beyond the cap, and a payload beyond its own', async () => {
    const harness = createHarness({ env: { MACP_MAX_PAYLOAD_BYTES: '1024' } });
    const limit = bodyLimit(1_024);
    expect(limit).toBe(1_368 + 128 * 1_024);
    await post(harness, 'alice', startMessage());
    const padded = (size: number) => {
      const text = JSON.stringify(offerMessage());
      return text + ' '.repeat(size - text.length);
    };
    expect((await harness.request('/macp/envelope', { as: 'alice', body: padded(limit) })).status).toBe(200);
    const answer = await harness.request('/macp/envelope', { as: 'alice', body: padded(limit + 1) });
    expect(answer.status).toBe(413);
    const setting = expect.stringContaining('MACP_MAX_PAYLOAD_BYTES');
    expect(await answer.json()).toMatchObject({
      ok: false,
      error: { code: 'PAYLOAD_TOO_LARGE', message: setting },
    });
    const announced = { 'content-length': String(limit + 1) };
    expect((await harness.request('/macp/envelope', { body: '{}', headers: announced })).status).toBe(413);
    const large = message('HandoffContext', undefined, {
      payload_b64: Buffer.alloc(1_025).toString('base64'),
    });
    expect((await harness.request('/macp/envelope', { as: 'alice', body: large })).status).toBe(413);
  });

  it('knows callers by their credentials, and the default agent in dev mode only', async () => {
    const dev = createHarness();
    await dev.request('/macp/envelope', { body: startMessage({}, { participants: ['dev', 'bob'] }) });
    expect(await (await dev.request(`/macp/session/${SESSION}`)).json()).toMatchObject({ initiator: 'dev' });

    const real = createHarness({ env: { MACP_AUTH_TOKENS_JSON: TOKENS } });
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: 'token-alice' },
      { 'x-macp-agent-id': 'alice' },
    ]) {
      const answer = await real.request('/macp/envelope', { body: startMessage(), headers });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(await answer.json()).toMatchObject({ ok: false, error: { code: 'UNAUTHENTICATED' } });
    }
    expect((await real.request('/macp/envelope', { as: 'token-alice', body: startMessage() })).status).toBe(
      200,
    );
    const token = { 'x-macp-token': 'token-alice' };
    expect((await real.request('/macp/envelope', { headers: token, body: offerMessage() })).status).toBe(200);
  });

  it('judges the shape before the credential, as every door does', async () => {
    const real = createHarness({ env: { MACP_AUTH_TOKENS_JSON: TOKENS } });
    const answer = await real.request('/macp/envelope', { body: startMessage({ macp_version: '9' }) });
    expect(await answer.json()).toMatchObject({ error: { code: 'UNSUPPORTED_PROTOCOL_VERSION' } });
  });

  it('broadcasts signals and answers them', async () => {
    const harness = createHarness();
    const bob = harness.principal('bob');
    const admitted = harness.deps.listeners.admit(bob, () => {});
    if ('rejection' in admitted) throw new Error(admitted.rejection.message);
    const heard = harness.deps.signals.listen(bob, admitted.value, AbortSignal.timeout(5_000));
    await post(
      harness,
      'alice',
      message(CoreMessageType.Signal, { signal_type: 'ping', confidence: 0.5 }, { mode: '', session_id: '' }),
    );
    expect((await heard.next()).value).toMatchObject({
      envelope: { messageType: 'Signal', sender: 'alice' },
      senderAuthenticated: false,
    });
  });

  it('limits the rate per sender', async () => {
    const harness = createHarness({ env: { MACP_MESSAGE_LIMIT_PER_MINUTE: '1' } });
    await post(harness, 'alice', startMessage());
    await post(harness, 'alice', offerMessage());
    const answer = await harness.request('/macp/envelope', { as: 'alice', body: contextMessage('c', 'x') });
    expect(answer.status).toBe(429);
    expect(await answer.json()).toMatchObject({ error: { code: 'RATE_LIMITED' } });
  });

  it(`${verifies('decision:faults:unavailable')}gives no Ack when there is no answer`, async () => {
    const store = createMemoryStore();
    const harness = createHarness({
      store: {
        ...store,
        commit: () =>
          Promise.reject(new HandoverError(FaultCode.UNKNOWN_OUTCOME, 'disk at /secret vanished')),
      },
    });
    for (let time = 0; time < 2; time++) {
      const answer = await harness.request('/macp/envelope', { as: 'alice', body: startMessage() });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('1');
      const text = await answer.text();
      expect(JSON.parse(text)).toMatchObject({ code: 'UNKNOWN_OUTCOME' });
      expect(text).not.toContain('secret');
    }
  });

  it('says that it is closing', async () => {
    const harness = createHarness();
    await harness.engine.close();
    const answer = await harness.request('/macp/envelope', { as: 'alice', body: startMessage() });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await answer.json()).toMatchObject({ code: 'SHUTTING_DOWN' });
  });

  it('does not wait for ever: the outcome is open then', async () => {
    const store = createMemoryStore();
    const harness = createHarness({
      requestTimeoutMs: 50,
      store: { ...store, commit: () => new Promise(() => {}) },
    });
    const answer = await harness.request('/macp/envelope', { as: 'alice', body: startMessage() });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'UNKNOWN_OUTCOME' });
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('POST /macp/session/start', () => {
  it('takes a SessionStart and nothing else', async () => {
    const harness = createHarness();
    const started = await harness.request('/macp/session/start', { as: 'alice', body: startMessage() });
    expect(started.status).toBe(200);
    const refused = await harness.request('/macp/session/start', { as: 'alice', body: offerMessage() });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      ok: false,
      message_id: 'HandoffOffer-1',
      error: { code: 'INVALID_ENVELOPE', message: 'message_type must be SessionStart here' },
    });
  });
});
