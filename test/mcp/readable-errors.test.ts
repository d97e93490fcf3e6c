/**
 * Every error of every tool reaches a client of the independent SDK v1, which holds structured content against the
 * schemas it has read with tools/list, and throws when it does not fit.
 */
import { FaultCode, HandoverError, RejectionCode, reject } from '@handover/core';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { McpDependencies } from '../../packages/server/src/doors/mcp/dependencies.js';
import { createMcpServer } from '../../packages/server/src/doors/mcp/mcp-server.js';
import type { Tool } from '../../packages/server/src/doors/mcp/tool.js';
import { MCP_STATUS, McpErrorCode } from '../../packages/server/src/doors/status-table.js';
import { silentLog } from '../../packages/server/src/observe/log.js';
import { createAudit } from '../../packages/server/src/observe/security-log.js';
import { plainConnection } from '../kit/connections.js';
import { call, connectHttp, connectOlder, connectStdioAs, newDataFolder } from '../kit/mcp-clients.js';
import { checkingResults, describedTools, valueIn } from '../kit/mcp-results.js';
import { admin } from '../kit/principals.js';
import { useMcpServer } from './support/mcp-server.js';

const described = describedTools();

/** Every tool as it is described, but it fails with what its arguments name. */
function failing(tool: Tool): Tool {
  const run = async (args: { code?: RejectionCode }) => {
    if (!args.code) throw new HandoverError(FaultCode.NOT_STORED, 'inside');
    return { rejection: reject(args.code, 'as asked') };
  };
  const { review: _, ...rest } = tool;
  return { ...rest, input: z.looseObject({}), run };
}

/** One door of the server, with the parts that calls of tools use. */
async function connectToFailing(): Promise<Client> {
  const deps = {
    tools: {
      ...described,
      find: (name: string) => {
        const tool = described.find(name);
        return tool && failing(tool);
      },
    },
    rate: () => undefined,
    kinds: [],
    log: silentLog,
    audit: createAudit(silentLog),
    loop: { entered: () => {} },
    calls: { track: (made: unknown) => made },
    closing: new AbortController().signal,
    now: Date.now,
    serverName: () => 'test',
    serverVersion: '1',
    instructions: '',
  } as unknown as McpDependencies;
  const server = createMcpServer(deps, {
    caller: () => admin('someone'),
    connection: () => plainConnection,
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
