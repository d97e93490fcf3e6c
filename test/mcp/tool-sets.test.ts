/** Which tools a client over HTTP sees, and what it may leave open or write otherwise. */
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, expect, it } from 'vitest';
import { bearer, call, connectHttp, ERAS, newClient, type Payload } from '../kit/mcp-clients.js';
import { useMcpServer } from './support/mcp-server.js';
import { TOOL_NAMES } from './support/tool-names.js';

const server = await useMcpServer();
const twin = await useMcpServer();
const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

it.each(ERAS)(
  'assistants:T2 the query narrows the list of one client, not what it may call (%s)',
  async (era) => {
    const client = newClient(era);
    const url = new URL('?toolsets=handoff', server.url);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: bearer('docs') }));
    clients.push(client);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(TOOL_NAMES.handoff);
    expect(await call(client, 'getConfiguration')).toMatchObject({ success: true });
  },
);

it('what cannot be read is refused with a sentence', async () => {
  const post = (query: string, headers: Record<string, string> = {}) =>
    fetch(new URL(query, server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer('docs').headers, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
  const unknown = await post('?toolsets=everything');
  expect(unknown.status).toBe(400);
  expect(await unknown.text()).toContain('handoff, lifecycle, admin, operations, xdala');
  expect((await post('', { 'handover-project': '%00' })).status).toBe(400);
  expect((await post('', { 'handover-instance': 'x' })).status).toBe(400);
});

/** Without what differs between two runs of the same: ids, times, and digests of texts that have some. */
const alike = (answer: Payload): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replace(/sha256:[0-9a-f]{64}/g, 'digest')
      .replace(/"requestId":"\w+"/g, '"requestId":""')
      .replace(/\bwork-\d{8}-[0-9a-z]{4}\b/g, 'work-key')
      .replace(/[\w-]{20,}:h1\b/g, 'handoff'),
  );

it('assistants:G2 null is an argument that is not given, and one text a list of one', async () => {
  const client = await connectHttp(server.url, 'docs');
  clients.push(client);
  const { tools } = await client.listTools();
  const samples: Readonly<Record<string, Record<string, unknown>>> = {
    registerSession: { sessionKey: 'nulls', agentFrom: 'docs' },
    updateContext: { sessionKey: 'nulls', contextType: 'message', content: 'x' },
    requestHandoff: { sessionKey: 'nulls', targetAgent: 'bob', requestType: 'collaboration' },
    handOff: { goal: 'x' },
    cancelHandoff: { sessionKey: 'nulls' },
    readContext: { sessionKey: 'nulls' },
    searchContext: { query: 'x' },
    updateConfiguration: { updates: {} },
    manageConfigurationBackup: { action: 'list' },
  };
  const handoff: { id?: string } = {};
  const answered: [name: string, args: Record<string, unknown>, answer: Payload][] = [];
  for (const { name, inputSchema } of tools.filter(({ name }) => !name.includes('_'))) {
    const { properties = {}, required = [] } = inputSchema;
    const optional = Object.keys(properties).filter((argument) => !required.includes(argument));
    const needed =
      samples[name] ?? (required.includes('handoffId') ? { handoffId: handoff.id ?? 'none' } : {});
    const nulls = Object.fromEntries(optional.map((argument) => [argument, null]));
    const wait = name === 'waitForHandoff' ? { timeoutMs: 0 } : {};
    const given = { ...needed, ...wait };
    const answer = await call(client, name, { ...nulls, ...given });
    handoff.id ??= answer.handoffId;
    const issues: readonly { field: string }[] = answer.details?.issues ?? [];
    expect([name, issues.filter(({ field }) => optional.includes(field))]).toEqual([name, []]);
    answered.push([name, given, answer]);
  }
  expect(answered.filter(([, , { success }]) => success).length).toBeGreaterThan(10);
  // The same calls without the nulls, on another server that knows as little.
  const other = await connectHttp(twin.url, 'docs');
  clients.push(other);
  const ids = new Map<unknown, unknown>();
  for (const [name, given, withNulls] of answered) {
    const args = Object.fromEntries(
      Object.entries(given).map(([field, value]) => [field, ids.get(value) ?? value]),
    );
    const without = await call(other, name, args);
    if (withNulls.handoffId) ids.set(withNulls.handoffId, without.handoffId);
    expect([name, alike(without)]).toEqual([name, alike(withNulls)]);
  }
  const one = await call(client, 'getConfiguration', { keys: 'MCP_SERVER_NAME' });
  expect(one).toEqual(
    await call(client, 'getConfiguration', { keys: ['MCP_SERVER_NAME'] }).then(
      ({ timestamp: _, ...rest }) => ({ ...rest, timestamp: one.timestamp }),
    ),
  );
  const taken = await call(client, 'updateConfiguration', {
    updates: { MCP_SERVER_NAME: null },
    options: { validateOnly: true, restartRequired: null },
  });
  expect(taken).toMatchObject({ success: true });
  for (const wrong of [{ sessionKey: null }, { unknown: null }]) {
    const args = { sessionKey: 'other', agentFrom: 'docs', ...wrong };
    expect(await call(client, 'registerSession', args)).toMatchObject({ errorCode: 'VALIDATION_ERROR' });
  }
});
