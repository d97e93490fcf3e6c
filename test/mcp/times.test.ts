/** What time does to sessions and offers, and what limits do to callers, as a tool says it. */
import { afterEach, expect, it } from 'vitest';
import { call, connectHttp, read } from '../kit/mcp-clients.js';
import { type McpTestServer, openMcpServer } from './support/mcp-server.js';

const DAY = 86_400_000;
const servers: McpTestServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close(AbortSignal.timeout(1_000)))));

async function opened(options: Parameters<typeof openMcpServer>[0]): Promise<McpTestServer> {
  const server = await openMcpServer(options);
  servers.push(server);
  return server;
}

it('a session that nobody used: dormant is active, expired is SESSION_EXPIRED with its status', async () => {
  const clock = { now: 1_700_000_000_000 };
  const server = await opened({ now: () => clock.now });
  const client = await connectHttp(server.url, 'docs');
  await call(client, 'registerSession', { sessionKey: 'old', agentFrom: 'docs' });
  clock.now += 8 * DAY;
  expect((await read(client, 'handoff://sessions')).sessions).toEqual([
    expect.objectContaining({ sessionKey: 'old', status: 'active', dormant: true }),
  ]);
  clock.now += 31 * DAY;
  const entry = { sessionKey: 'old', contextType: 'message', content: 'too late' };
  expect(await call(client, 'updateContext', entry)).toMatchObject({
    success: false,
    error: 'Session is not active',
    errorCode: 'SESSION_EXPIRED',
    statusCode: 410,
    sessionKey: 'old',
    currentStatus: 'expired',
  });
  expect((await read(client, 'handoff://sessions')).total).toBe(0);
  await client.close();
});

it('an offer that nobody answered', async () => {
  const clock = { now: 1_700_000_000_000 };
  const server = await opened({ now: () => clock.now });
  const client = await connectHttp(server.url, 'docs');
  await call(client, 'registerSession', { sessionKey: 'offered', agentFrom: 'docs' });
  const offer = { sessionKey: 'offered', targetAgent: 'bob', requestType: 'full_handoff' };
  const { handoffId } = await call(client, 'requestHandoff', offer);
  clock.now += 2 * DAY;
  expect(await call(client, 'getHandoff', { handoffId })).toMatchObject({
    status: 'failed',
    handoff: { phase: 'expired' },
  });
  expect(await call(client, 'requestHandoff', offer)).toMatchObject({ success: true, status: 'pending' });
  await client.close();
});

it('too many requests: RATE_LIMITED, and when to come again', async () => {
  const server = await opened({ env: { MACP_MESSAGE_LIMIT_PER_MINUTE: '5' } });
  const client = await connectHttp(server.url, 'docs');
  await call(client, 'registerSession', { sessionKey: 'busy', agentFrom: 'docs' });
  const entry = { sessionKey: 'busy', contextType: 'message', content: 'again' };
  let payload = await call(client, 'updateContext', entry);
  for (let round = 0; round < 10 && payload.success; round++)
    payload = await call(client, 'updateContext', entry);
  expect(payload).toMatchObject({
    errorCode: 'RATE_LIMITED',
    statusCode: 429,
    details: { retryAfterMs: expect.any(Number) },
  });
  await client.close();
});
