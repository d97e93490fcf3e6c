/** Which tools a client over HTTP sees, and what it may leave open or write otherwise. */
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, expect, it } from 'vitest';
import { bearer, call, connectHttp, ERAS, newClient } from '../kit/mcp-clients.js';
import { useMcpServer } from './support/mcp-server.js';
import { TOOL_NAMES } from './support/tool-names.js';

const server = await useMcpServer();
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
  for (const { name, inputSchema } of tools.filter(({ name }) => !name.includes('_'))) {
    const { properties = {}, required = [] } = inputSchema;
    const optional = Object.keys(properties).filter((argument) => !required.includes(argument));
    const needed =
      samples[name] ?? (required.includes('handoffId') ? { handoffId: handoff.id ?? 'none' } : {});
    const nulls = Object.fromEntries(optional.map((argument) => [argument, null]));
    const wait = name === 'waitForHandoff' ? { timeoutMs: 0 } : {};
    const answer = await call(client, name, { ...nulls, ...needed, ...wait });
    handoff.id ??= answer.handoffId;
    const issues: readonly { field: string }[] = answer.details?.issues ?? [];
    expect([name, issues.filter(({ field }) => optional.includes(field))]).toEqual([name, []]);
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
