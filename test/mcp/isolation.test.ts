/** Answers never cross: equal JSON-RPC ids, two callers, ten thousand pairs at once; and 200 writers on one session. */
import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, connectHttp, read } from '../kit/mcp-clients.js';
import { PEOPLE } from '../kit/tokens.js';
import { type McpTestServer, openMcpServer } from './support/mcp-server.js';

const PAIRS = 10_000;
const AT_ONCE = 32;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

let server: McpTestServer;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
beforeAll(async () => {
  server = await openMcpServer({ env: PEOPLE });
});
afterAll(async () => {
  agent.destroy();
  await server.close(AbortSignal.timeout(1_000));
});

interface Answer {
  readonly id: number;
  readonly result: { readonly structuredContent: { readonly handoffs: { readonly to: string }[] } };
}

/** One raw call: the SDK's client would give every request an id of its own. */
function ask(token: string, id: number): Promise<Answer> {
  const params = { name: 'listHandoffs', arguments: {}, _meta: META };
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'listHandoffs',
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(server.url, { method: 'POST', headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString()) as Answer));
    });
    request.on('error', reject);
    request.end(body);
  });
}

it(`${PAIRS} pairs of calls with the same id: each caller sees its own inbox`, {
  timeout: 240_000,
}, async () => {
  const carol = await connectHttp(server.url, 'carol-token');
  for (const targetAgent of ['alice', 'bob']) {
    const sessionKey = `for-${targetAgent}`;
    await call(carol, 'registerSession', { sessionKey, agentFrom: 'carol' });
    await call(carol, 'requestHandoff', { sessionKey, targetAgent, requestType: 'context_transfer' });
  }
  await carol.close();
  let next = 0;
  const worker = async () => {
    while (next < PAIRS) {
      const id = next++;
      const [hers, his] = await Promise.all([ask('alice-token', id), ask('bob-token', id)]);
      if (hers.id !== id || his.id !== id) throw new Error(`${id} was answered as ${hers.id} and ${his.id}`);
      const [to, other] = [hers, his].map(({ result }) =>
        result.structuredContent.handoffs.map((one) => one.to).join(),
      );
      if (to !== 'alice' || other !== 'bob') throw new Error(`${id} crossed: ${to} and ${other}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE / 2 }, worker));
  expect(next).toBeGreaterThanOrEqual(PAIRS);
});

it('200 concurrent updateContext on one session: 200 stored, numbered 1 to 200', async () => {
  const clients = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      connectHttp(server.url, 'alice-token', index % 2 ? 'modern' : 'legacy'),
    ),
  );
  const [first] = clients;
  if (!first) throw new Error('no client');
  const sessionKey = 'crowded';
  await call(first, 'registerSession', { sessionKey, agentFrom: 'alice' });
  const numbers = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const client = clients[index % clients.length] ?? first;
      const entry = { sessionKey, contextType: 'message', content: `entry ${index}` };
      return (await call(client, 'updateContext', entry)).contextEntry.sequenceNumber as number;
    }),
  );
  expect(numbers.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 200 }, (_, index) => index + 1),
  );
  const { entries, hasMore } = await read(first, `handoff://context/${sessionKey}`);
  expect(hasMore).toBe(false);
  expect(new Set(entries.map(({ content }: { content: string }) => content)).size).toBe(200);
  await Promise.all(clients.map((client) => client.close()));
});
