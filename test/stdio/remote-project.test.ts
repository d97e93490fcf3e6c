/** What a server elsewhere learns of a window: its project, its sets of tools, its name; and not where its folder is. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectionHeaders } from '../../packages/server/src/cli/remote/connection-headers.js';
import type { Server } from '../../packages/server/src/server.js';
import { BINARY, cleanEnv } from '../kit/handover-process.js';
import { call, newClient } from '../kit/mcp-clients.js';
import { openServer } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

let server: Server;
const clients: Client[] = [];
beforeAll(async () => {
  server = await openServer();
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await server.close();
});

/** A clone of the repository, in a folder of its own. */
function clone(name: string, origin: string): string {
  const folder = join(temporaryFolder(), name);
  mkdirSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, '.git', 'HEAD'), `${'ab'.repeat(20)}\n`);
  writeFileSync(join(folder, '.git', 'config'), `[remote "origin"]\n\turl = ${origin}\n`);
  return folder;
}

async function open(project: string, ...more: readonly string[]): Promise<Client> {
  const client = newClient('modern');
  const flags = ['mcp', '--server', server.httpUrl, '--agent', 'ann', '--project', project, ...more];
  const [command, args] = [process.execPath, [BINARY, ...flags]];
  await client.connect(new StdioClientTransport({ command, args, env: cleanEnv(), stderr: 'ignore' }));
  clients.push(client);
  return client;
}

it('assistants:J7 assistants:P2 by header: two clones are one project, another repository is another', async () => {
  const first = await open(clone('shöp', 'git@git.example:team/shop.git'));
  const other = await open(clone('blog', 'https://git.example/team/blog.git'), '--toolsets', 'lifecycle');
  const second = await open(clone('shop-2', 'https://git.example/team/shop'));
  await call(first, 'registerSession', { sessionKey: 'in-shop', agentFrom: 'ann' });
  const keys = async (client: Client) =>
    (await call(client, 'listSessions')).sessions.map(({ sessionKey }: { sessionKey: string }) => sessionKey);
  expect([await keys(first), await keys(second), await keys(other)]).toEqual([['in-shop'], ['in-shop'], []]);

  const [me, there] = [await call(first, 'whoAmI'), await call(other, 'whoAmI')];
  expect(me).toMatchObject({
    ...{ agent: 'ann', toolsets: ['handoff', 'admin'], instance: expect.stringMatching(/^[0-9a-f]{8}$/) },
    project: { id: expect.stringMatching(/^git:[0-9a-f]{16}$/), name: 'shöp' },
  });
  expect(there).toMatchObject({ toolsets: ['lifecycle'], project: { name: 'blog' } });
  expect((await other.listTools()).tools.map(({ name }) => name)).not.toContain('listSessions');
}, 60_000);

it('assistants:6.7 the root of the project stays here; names become headers', () => {
  const project = { id: 'git:0123456789abcdef', name: 'shöp; a', root: '/home/ann/secret-place' };
  const client = { name: 'claude', session: '6f1c 2b' };
  const window = { instance: '0a0a0a0a', client, head: 'ab'.repeat(20) };
  const headers = connectionHeaders({ agent: 'ä', project, ...window });
  expect(headers).toEqual({
    'handover-agent': '%C3%A4',
    'handover-instance': '0a0a0a0a',
    'handover-project': 'git%3A0123456789abcdef; name=sh%C3%B6p%3B%20a',
    'handover-client': 'claude; session=6f1c%202b',
    'handover-head': 'ab'.repeat(20),
  });
});
