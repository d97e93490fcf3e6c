/** `/api/v1/hook` and `/api/v1/capture` on a real server: who may call, what they take, and how they refuse. */
import { createMemoryStore } from '@handover/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Server } from '../../packages/server/src/server.js';
import { call, connectHttp } from '../kit/mcp-clients.js';
import { openServer } from '../kit/server.js';
import { sharedSecretEnv, sharedSecretJwt } from '../kit/shared-secret-jwt.js';
import { tokensEnv } from '../kit/tokens.js';

const TOKENS = tokensEnv({
  'ann-token': { sender: 'ann' },
  'bob-token': { sender: 'bob' },
  'reads-token': { sender: 'reads', scopes: ['handoff:read'] },
  'writes-token': { sender: 'writes', scopes: ['handoff:write'] },
});
const PROJECT = { id: 'git:0123456789abcdef', name: 'shop' };
const ABOUT = { client: 'claude', clientSession: '6f1c2b3a-0d4e', project: PROJECT };
const CAPTURE = {
  ...{ ...ABOUT, event: 'PreCompact', idempotencyKey: 'k1', content: 'the import is slow' },
  ...{ metadata: { capture: { v: 1 } }, isWork: true },
};

let now = Date.UTC(2026, 10, 16, 9, 30);
let server: Server;
let store: ReturnType<typeof createMemoryStore>;
beforeEach(async () => {
  now = Date.UTC(2026, 10, 16, 9, 30);
  store = createMemoryStore();
  server = await openServer({ env: TOKENS, store, now: () => now });
});
afterEach(() => server.close());

const at = (path: string) => new URL(`/api/v1/${path}`, server.httpUrl);

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(at(path), {
    method: 'POST',
    headers: { authorization: 'Bearer ann-token', 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const by = (token: string) => ({ authorization: `Bearer ${token}` });

async function entriesOf(sessionKey: string, token = 'ann-token') {
  const client = await connectHttp(new URL('/mcp', server.httpUrl), token);
  const { contents } = await client.readResource({ uri: `handoff://context/${sessionKey}` });
  await client.close();
  return JSON.parse((contents[0] as { text: string }).text).entries;
}

describe('a capture over HTTP', () => {
  it('is one entry of the token’s agent, however often it is sent', async () => {
    const first = await post('capture', CAPTURE);
    expect([first.status, first.body]).toEqual([
      200,
      { stored: true, sessionKey: 'shop-claude-6f1c2b3a', sequenceNumber: 1, parked: false },
    ]);
    expect((await post('capture', { ...CAPTURE, agent: 'ann', sessionKey: null })).body).toEqual(first.body);
    const entries = await entriesOf('shop-claude-6f1c2b3a');
    expect(entries).toMatchObject([{ content: 'the import is slow', author: 'ann' }]);
    expect((await store.agents.find('default', 'ann'))?.heartbeats).toEqual({ [PROJECT.id]: now });
  });

  it('has its patch as a file beside it', async () => {
    const patch = 'diff --git a/a b/a\n+x\n';
    const { body } = await post('capture', { ...CAPTURE, patch });
    expect(body).toMatchObject({ stored: true, sequenceNumber: 2 });
    expect(await entriesOf('shop-claude-6f1c2b3a')).toMatchObject([
      { contextType: 'file', content: patch, metadata: { path: 'uncommitted.patch' } },
      { contextType: 'system' },
    ]);
    const large = await post('capture', { ...CAPTURE, patch: '"'.repeat(262_145) });
    expect([large.status, large.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    const most = {
      ...CAPTURE,
      idempotencyKey: 'k2',
      content: '\n'.repeat(8_192),
      patch: '"'.repeat(262_144),
    };
    expect((await post('capture', most)).status).toBe(200);
  });

  it('leaves nothing for others that its owner went on with since', async () => {
    const { sessionKey } = (await post('capture', CAPTURE)).body;
    const ended = new Date(now).toISOString();
    const client = await connectHttp(new URL('/mcp', server.httpUrl), 'ann-token');
    now += 60_000;
    await call(client, 'updateContext', { sessionKey, contextType: 'message', content: 'I go on.' });
    await client.close();
    now += 60_000;
    const late = { ...CAPTURE, event: 'SessionEnd', park: true };
    const answer = await post('capture', { ...late, idempotencyKey: 'k2', at: ended });
    expect(answer.body).toMatchObject({ stored: true, parked: false });
    expect((await post('capture', { ...late, idempotencyKey: 'k3' })).body).toMatchObject({ parked: true });
  });
});

describe('a hook over HTTP', () => {
  const start = { ...ABOUT, event: 'SessionStart' };

  it('counts as a sign of the time when it happened, and never of one to come', async () => {
    const happened = now - 3_600_000;
    const beat = { ...ABOUT, event: 'Stop' };
    expect(await post('hook', { ...beat, at: new Date(happened).toISOString() })).toMatchObject({
      status: 200,
      body: {},
    });
    const heartbeat = async () => (await store.agents.find('default', 'ann'))?.heartbeats[PROJECT.id];
    expect(await heartbeat()).toBe(happened);
    await post('hook', { ...beat, at: new Date(now + 86_400_000).toISOString() });
    expect(await heartbeat()).toBe(now);
    await post('hook', { ...beat, at: new Date(happened).toISOString() });
    expect(await heartbeat()).toBe(now);
  });

  it('says what waits for the token’s agent; what was left for anybody is only its owner’s', async () => {
    await post('capture', { ...CAPTURE, event: 'SessionEnd', park: true });
    expect((await post('hook', start)).body.text).toMatch(/^Your last session here: shop-claude-6f1c2b3a/);
    expect((await post('hook', start, by('bob-token'))).body).toEqual({});
  });
});

describe('console:A2 console:A3 a refusal', () => {
  const error = (code: string, more: object = {}) => ({
    error: expect.objectContaining({
      code,
      message: expect.any(String),
      requestId: expect.any(String),
      ...more,
    }),
  });

  it.each([
    ['without a credential', 'hook', {}, { authorization: '' }, 401, 'UNAUTHENTICATED'],
    ['with a wrong one', 'hook', {}, by('nobody'), 401, 'UNAUTHENTICATED'],
    [
      'with a token that is not a bearer',
      'hook',
      {},
      { authorization: '', 'x-macp-token': 'ann-token' },
      401,
    ],
    ['with a cookie alone', 'hook', {}, { authorization: '', cookie: 'token=ann-token' }, 401],
    ['of another agent', 'hook', { ...ABOUT, event: 'Stop', agent: 'bob' }, {}, 403, 'FORBIDDEN'],
    ['of an unknown field', 'hook', { ...ABOUT, event: 'Stop', tenant: 'x' }, {}, 400, 'VALIDATION_ERROR'],
    [
      'of __proto__',
      'hook',
      `{"__proto__":{},${JSON.stringify({ ...ABOUT, event: 'Stop' }).slice(1)}`,
      {},
      400,
      'VALIDATION_ERROR',
    ],
    ['of a missing field', 'hook', ABOUT, {}, 400, 'VALIDATION_ERROR'],
    ['of a wrong time', 'hook', { ...ABOUT, event: 'Stop', at: 'soon' }, {}, 400, 'VALIDATION_ERROR'],
    ['of a word for a switch', 'capture', { ...CAPTURE, park: 'yes' }, {}, 400, 'VALIDATION_ERROR'],
    ['of a list', 'capture', [], {}, 400, 'VALIDATION_ERROR'],
    ['of no JSON', 'capture', '{', {}, 400, 'VALIDATION_ERROR'],
    ['of nothing', 'capture', '', {}, 400, 'VALIDATION_ERROR'],
    ['of too much', 'capture', { ...CAPTURE, more: 'x'.repeat(1_048_576) }, {}, 413, 'PAYLOAD_TOO_LARGE'],
    ['of a form', 'capture', 'a=b', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['to a page elsewhere', 'capture', CAPTURE, { origin: 'https://evil.example' }, 403, 'FORBIDDEN'],
    ['at another address', 'captures', CAPTURE, {}, 404, 'NOT_FOUND'],
  ])('%s', async (_what, path, body, headers, status, code = 'UNAUTHENTICATED') => {
    const answer = await post(path, body, headers as Record<string, string>);
    expect([answer.status, answer.body]).toEqual([status, error(code)]);
    if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await store.agents.find('default', 'ann')).toBeUndefined();
  });

  it('of another method', async () => {
    const response = await fetch(at('hook'), { headers: by('ann-token') });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await response.json()).toEqual(error('METHOD_NOT_ALLOWED'));
  });

  it.each([
    ['hook', { ...ABOUT, event: 'Stop' }, 'writes-token', 'handoff:read'],
    ['capture', CAPTURE, 'reads-token', 'handoff:write'],
    ['capture', { ...CAPTURE, park: true }, 'writes-token', 'handoff:offer'],
  ])('of %s names the scope that is missing', async (path, body, token, requiredScope) => {
    const answer = await post(path, body, by(token));
    expect([answer.status, answer.body]).toEqual([
      403,
      error('FORBIDDEN', { details: { requiredScope }, fix: expect.any(String) }),
    ]);
    expect((await post('capture', CAPTURE, by('writes-token'))).status).toBe(200);
  });
});

it('console:A6 counts in the one rate of its caller, and says when to come again', async () => {
  const limited = await openServer({
    env: { ...TOKENS, MACP_MESSAGE_LIMIT_PER_MINUTE: '2' },
    now: () => now,
  });
  const send = () =>
    fetch(new URL('/api/v1/hook', limited.httpUrl), {
      method: 'POST',
      headers: { ...by('ann-token'), 'content-type': 'application/json' },
      body: JSON.stringify({ ...ABOUT, event: 'Stop' }),
    });
  expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
  const third = await send();
  expect([third.status, Number(third.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect((await third.json()).error).toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterMs: expect.any(Number),
  });
  await limited.close();
});

it('in dev mode takes the name of the agent as its bearer, and nobody without one', async () => {
  const dev = await openServer();
  const send = (headers: Record<string, string>) =>
    fetch(new URL('/api/v1/hook', dev.httpUrl), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...ABOUT, event: 'Stop', agent: 'claude' }),
    });
  expect([(await send(by('claude'))).status, (await send({})).status]).toEqual([200, 401]);
  await dev.close();
});

it('takes a JWT that was made out for MCP at the address that was called, and for no other', async () => {
  const secret = Buffer.alloc(32, 7);
  const jwts = await openServer({ env: sharedSecretEnv(secret.toString('base64url')) });
  const send = (aud: string) =>
    fetch(new URL('/api/v1/hook', jwts.httpUrl), {
      method: 'POST',
      headers: {
        ...by(sharedSecretJwt(secret, { aud, sub: 'ann', scope: 'handoff:read' })),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ...ABOUT, event: 'Stop', agent: 'ann' }),
    });
  const { port } = new URL(jwts.httpUrl);
  expect((await send(`${jwts.httpUrl}/mcp`)).status).toBe(200);
  expect((await send(`http://localhost:${port}/mcp`)).status).toBe(401);
  expect((await send(`${jwts.httpUrl}/api/v1`)).status).toBe(401);
  await jwts.close();
});
