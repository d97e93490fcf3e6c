/**
 * Every error of every tool reaches its client: the independent SDK v1, which holds structured content against the schemas it
 * has read with tools/list and throws when it does not fit, and the official client in both eras.
 */
import { RejectionCode } from '@handover/core';
import { InMemoryTransport, type Transport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterAll, expect, it } from 'vitest';
import { createMcpServer } from '../../packages/server/src/doors/mcp/mcp-server.js';
import { MCP_STATUS, McpErrorCode } from '../../packages/server/src/doors/status-table.js';
import { plainConnection } from '../kit/connections.js';
import {
  call,
  connectHttp,
  connectOlder,
  connectStdioAs,
  ERAS,
  newClient,
  newDataFolder,
} from '../kit/mcp-clients.js';
import { checkingResults, describedTools, valueIn } from '../kit/mcp-results.js';
import { admin } from '../kit/principals.js';
import { failingDoor } from './support/failing-door.js';
import { useMcpServer } from './support/mcp-server.js';

const described = describedTools();

/** The independent client, and the official one in both eras, on a server whose every tool fails as it is told. */
const CLIENTS: readonly (readonly [string, () => Connecting])[] = [
  ['SDK v1', () => new OlderClient({ name: 'older', version: '1.0.0' })],
  ...ERAS.map((era) => [`client v2, ${era}`, () => newClient(era)] as const),
];

interface Connecting {
  connect(transport: Transport): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

async function connectToFailing(client: Connecting): Promise<Connecting> {
  const principal = admin('someone');
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const factory = ({ era }: { readonly era: 'legacy' | 'modern' }) =>
    createMcpServer(failingDoor(), {
      caller: () => principal,
      connection: () => plainConnection,
      opener: { principal, connection: plainConnection },
      era,
    });
  serveStdio(factory, { transport: ours });
  await client.connect(theirs);
  return checkingResults(client);
}

it.each(CLIENTS)('assistants:E1 every tool × every code: readable after tools/list (%s)', async (_, made) => {
  const client = await connectToFailing(made());
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
