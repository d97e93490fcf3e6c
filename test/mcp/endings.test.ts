/** How things end: idle sessions, a server that closes, tokens for another audience. */
import { createHmac } from 'node:crypto';
import { Engine } from '@handover/engine';
import { expect, it, vi } from 'vitest';
import { createDevAuthenticator } from '../../packages/server/src/auth/authenticator.js';
import { EventStreams } from '../../packages/server/src/doors/http/event-streams.js';
import { Subscriptions } from '../../packages/server/src/doors/mcp/changes/subscriptions.js';
import type { McpDependencies } from '../../packages/server/src/doors/mcp/dependencies.js';
import { OlderEra } from '../../packages/server/src/doors/mcp/http/older-era.js';
import { createToolTable } from '../../packages/server/src/doors/mcp/tool-table.js';
import { silentLog } from '../../packages/server/src/observe/log.js';
import { plainConnection } from '../kit/connections.js';
import { bearer, call, connectHttp, ERAS } from '../kit/mcp-clients.js';
import { until } from '../kit/until.js';
import { createWorld } from '../kit/world.js';
import { openMcpServer } from './support/mcp-server.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

it('a session without use ends, one with an open stream does not', async () => {
  const clock = { now: 0 };
  const deps = {
    tools: createToolTable([]),
    kinds: [],
    subscriptions: new Subscriptions({ kinds: [], watch: async () => () => {} }),
    listeners: createWorld().deps.listeners,
    rate: () => undefined,
    streams: new EventStreams(),
    log: silentLog,
    serverName: () => 'test',
    serverVersion: '1',
    instructions: () => '',
  } as unknown as McpDependencies;
  const era = new OlderEra(deps, { idleMs: 1_000, perCaller: 10, inAll: 10 }, () => clock.now);
  const known = createDevAuthenticator({ defaultAgent: 'dev' }).anonymous;
  if (!known) throw new Error('no caller');
  const disconnect = () => {};
  const open = async () => {
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: HEADERS });
    const answer = await era.handle({
      request,
      message: INITIALIZE,
      principal: known,
      connection: plainConnection,
      disconnect,
    });
    await answer.text();
    return answer.headers.get('mcp-session-id') ?? '';
  };
  const [idle, listening] = [await open(), await open()];
  const stream = new AbortController();
  const headers = { accept: 'text/event-stream', 'mcp-session-id': listening };
  const get = (request: Request) =>
    era.handle({ request, message: undefined, principal: known, connection: plainConnection, disconnect });
  await get(new Request('http://localhost/mcp', { headers, signal: stream.signal }));
  clock.now = 1_500;
  era.sweep();
  expect(era.size).toBe(1);
  const gone = new Request('http://localhost/mcp', { headers: { ...headers, 'mcp-session-id': idle } });
  expect((await get(gone)).status).toBe(404);
  stream.abort();
  clock.now = 4_000;
  era.sweep();
  expect(era.size).toBe(0);
  await era.close();
});

it.each(ERAS)('%s: whoever waits is answered when the server closes', async (era) => {
  const server = await openMcpServer();
  const client = await connectHttp(server.url, 'docs', era);
  await call(client, 'registerSession', { sessionKey: 'end', agentFrom: 'docs' });
  const follow = vi.spyOn(Engine.prototype, 'follow');
  const waiting = call(client, 'waitForHandoff', { timeoutMs: 50_000 });
  await until(() => follow.mock.calls.length > 0);
  follow.mockRestore();
  const started = performance.now();
  await server.close(AbortSignal.timeout(10_000));
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(await waiting).toMatchObject({ success: true, changed: false });
  await client.close().catch(() => {});
});

it('a JWT may be for the address of this server, and for no other', async () => {
  const secret = 'k'.repeat(32);
  const key = { kty: 'oct', kid: 'one', alg: 'HS256', k: Buffer.from(secret).toString('base64url') };
  const server = await openMcpServer({
    env: {
      MACP_AUTH_ISSUER: 'https://issuer.example',
      MACP_AUTH_JWKS_JSON: JSON.stringify({ keys: [key] }),
      MACP_AUTH_JWT_ALGS: 'HS256',
      MCP_PUBLIC_BASE_URL: 'https://handover.example/',
    },
  });
  const token = (aud: string) => {
    const exp = Math.floor(Date.now() / 1_000) + 60;
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { iss: 'https://issuer.example', sub: 'alice', aud, exp, iat: exp - 60 };
    const body = `${part({ alg: 'HS256', kid: 'one' })}.${part(claims)}`;
    return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
  };
  const ask = (aud: string) =>
    fetch(server.url, {
      method: 'POST',
      headers: { ...HEADERS, ...bearer(token(aud)).headers },
      body: JSON.stringify(INITIALIZE),
    });
  expect((await ask('https://handover.example/mcp')).status).toBe(200);
  expect((await ask('macp-runtime')).status).toBe(200);
  const refused = await ask('https://elsewhere.example/mcp');
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toContain(
    'resource_metadata="https://handover.example/.well-known/oauth-protected-resource/mcp"',
  );
  const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', server.url));
  expect(await metadata.json()).toMatchObject({
    resource: 'https://handover.example/mcp',
    authorization_servers: ['https://issuer.example'],
  });
  await server.close(AbortSignal.timeout(1_000));
});
