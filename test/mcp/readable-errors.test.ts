/**
 * Every error of every tool reaches a client of the independent SDK v1, which holds structured content against the
 * schemas it has read with tools/list, and throws when it does not fit.
 */
import { RejectionCode } from '@handover/core';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, expect, it } from 'vitest';
import { createMcpServer } from '../../packages/server/src/doors/mcp/mcp-server.js';
import { MCP_STATUS, McpErrorCode } from '../../packages/server/src/doors/status-table.js';
import { plainConnection } from '../kit/connections.js';
import { call, connectHttp, connectOlder, connectStdioAs, newDataFolder } from '../kit/mcp-clients.js';
import { checkingResults, describedTools, valueIn } from '../kit/mcp-results.js';
import { admin } from '../kit/principals.js';
import { failingDoor } from './support/failing-door.js';
import { useMcpServer } from './support/mcp-server.js';

const described = describedTools();

async function connectToFailing(): Promise<Client> {
  const principal = admin('someone');
  const server = createMcpServer(failingDoor(), {
    caller: () => principal,
    connection: () => plainConnection,
    opener: { principal, connection: plainConnection },
    era: 'legacy',
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = checkingResults(new Client({ name: 'older', version: '1.0.0' }));
  await Promise.all([server.connect(ours as never), client.connect(theirs)]);
  return client;
}

it('assistants:E1 every tool × every code: readable after tools/list', async () => {
  const client = await connectToFailing();
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(30);
  const seen = new Set<string>();
  for (const { name } of tools)
    for (const code of [...Object.values(RejectionCode), undefined]) {
      const payload = valueIn(await client.callTool({ name, arguments: { code } }));
      const errorCode = code ? MCP_STATUS[code] : McpErrorCode.INTERNAL_ERROR;
      expect(payload, `${name} ${code}`).toMatchObject({ success: false, errorCode });
      seen.add(errorCode);
    }
  expect([...seen].sort()).toEqual(Object.values(McpErrorCode).sort());
  await client.close();
});

const server = await useMcpServer();

it('assistants:E1 over HTTP, arguments that every tool refuses', async () => {
  const client = await connectOlder(server.url, 'docs');
  for (const { name } of (await client.listTools()).tools) {
    const payload = valueIn(await client.callTool({ name, arguments: { surplus: 1 } }));
    expect(payload, name).toMatchObject({ success: false, errorCode: 'VALIDATION_ERROR', statusCode: 400 });
  }
  await client.close();
});

it('assistants:E1 over a pipe', async () => {
  const client = await connectStdioAs('docs', newDataFolder(), 'legacy');
  await client.listTools();
  expect(await call(client, 'getHandoff', { handoffId: 'none:h1' })).toMatchObject({
    errorCode: 'HANDOFF_NOT_FOUND',
  });
  await client.close();
});

it('assistants:E2 what the tests check results against is what the server publishes', async () => {
  const client = await connectHttp(server.url, 'docs');
  afterAll(() => client.close());
  const published = (await client.listTools()).tools.map(({ name, outputSchema }) => [name, outputSchema]);
  const checked = described
    .listFor(admin('docs'), plainConnection)
    .map(({ name, outputSchema }) => [name, outputSchema]);
  expect(published).toEqual(JSON.parse(JSON.stringify(checked)));
});
