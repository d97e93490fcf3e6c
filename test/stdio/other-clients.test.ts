/** The server dies, and clients that are not the newest of TypeScript do not notice either. */
import { rmSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BINARY, cleanEnv } from '../kit/handover-process.js';
import { newDataFolder } from '../kit/mcp-clients.js';
import { PYTHON_SDKS, PythonClient, pythonSdk } from '../python/mcp-sdk.js';
import { FIRST_INSTALL_MS } from '../python/run-python.js';
import { cleanUp } from './support.js';
import { type Surviving, survivesKills } from './survives.js';

let folder: string;
beforeEach(() => {
  folder = newDataFolder();
});
afterEach(async () => {
  await cleanUp(folder);
  rmSync(folder, { recursive: true, force: true });
});

const ENV = { HANDOVER_IDLE_SECS: '30' };
const commandOf = (agent: string) => [BINARY, 'mcp', '--data-dir', folder, '--agent', agent];

async function olderSdk(agent: string): Promise<Surviving> {
  const client = new Client({ name: 'older', version: '1' });
  const heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    heard.push(params.uri);
  });
  const env = cleanEnv(ENV);
  const server = { command: process.execPath, args: commandOf(agent), env, stderr: 'ignore' as const };
  await client.connect(new StdioClientTransport(server));
  await client.listTools();
  return {
    heard,
    callTool: (params) => client.callTool(params),
    follow: async (uri) => void (await client.subscribeResource({ uri })),
    close: () => client.close(),
  };
}

it('assistants:N1 assistants:N3 the SDK v1', () => survivesKills(folder, olderSdk), 120_000);

it.each(PYTHON_SDKS)(
  'assistants:N1 assistants:N3 the Python SDK %s',
  async (sdk) => {
    const place = await pythonSdk(sdk);
    if (!place) return;
    await survivesKills(folder, async (agent) => {
      const client = await PythonClient.connect(place, [process.execPath, ...commandOf(agent)], ENV);
      expect((await client.listTools()).length).toBeGreaterThan(10);
      return client;
    });
  },
  FIRST_INSTALL_MS,
);
