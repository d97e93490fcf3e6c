/** The server dies, the assistant does not notice: real processes, killed outright. */
import { existsSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LineClient } from '../hardening/support/local-socket.js';
import type { Wire } from '../hardening/support/raw-mcp.js';
import { call, ERAS, type Era, newDataFolder } from '../kit/mcp-clients.js';
import { until } from '../kit/until.js';
import { assistant, cleanUp, logOf, serversOn } from './support.js';
import { killServers, type Surviving, survivesKills } from './survives.js';

let folder: string;
beforeEach(() => {
  folder = newDataFolder();
});
afterEach(async () => {
  await cleanUp(folder);
  rmSync(folder, { recursive: true, force: true });
});

const killServer = () => killServers(folder);

async function official(era: Era, agent: string): Promise<Surviving> {
  const client = await assistant(folder, { era, args: ['--agent', agent] });
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri);
  });
  return {
    heard,
    callTool: (params) => client.callTool(params),
    follow: async (uri) =>
      void (await (era === 'modern'
        ? client.listen({ resourceSubscriptions: [uri] })
        : client.subscribeResource({ uri }))),
    close: () => client.close(),
  };
}

it.each(ERAS)(
  'assistants:N1 assistants:N3 a server that is killed: no error, no gap, nothing twice, changes still heard (%s)',
  (era) => survivesKills(folder, (agent) => official(era, agent)),
  120_000,
);

/** As the pipe joins: the window keeps its name. It answers with what the server said to this one line. */
async function said(
  agent: string,
  instance: string | undefined,
  message: Readonly<{ id: number }>,
): Promise<Wire> {
  const client = await LineClient.connect(folder, agent, instance);
  await client.initialize();
  client.say(message);
  const answer = await until(() => client.answers.find(({ id }) => id === message.id));
  client.socket.destroy();
  return JSON.parse(answer?.result.content[0].text);
}

describe('assistants:N2 a request whose answer was lost', () => {
  it('is carried out once: the same line of the same window is the same request, another is not', async () => {
    const claude = await assistant(folder, { args: ['--agent', 'claude'] });
    await call(claude, 'registerSession', { sessionKey: 'work', agentFrom: 'claude' });
    const write = (id: number, content = 'x') => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name: 'updateContext', arguments: { sessionKey: 'work', contextType: 'message', content } },
    });
    const numberOf = ({ contextEntry }: Wire) => contextEntry.sequenceNumber;
    expect(numberOf(await said('claude', '0a0a0a0a', write(7)))).toBe(1);
    killServer();
    await call(claude, 'listHandoffs', {});
    const again = await said('claude', '0a0a0a0a', write(7));
    expect([numberOf(again), again.replayed]).toEqual([1, true]);
    expect(numberOf(await said('claude', '0a0a0a0a', write(8)))).toBe(2);
    expect(numberOf(await said('claude', '0a0a0a0a', write(7, 'y')))).toBe(3);
    expect(numberOf(await said('claude', '0b0b0b0b', write(7)))).toBe(4);
    expect(numberOf(await said('claude', undefined, write(7)))).toBe(5);
    await claude.close();
  }, 60_000);
});

it.each(ERAS)(
  'assistants:N2 killed when it has stored and not yet answered: stored once, and the client notices nothing (%s)',
  async (era) => {
    const mark = join(folder, 'killed');
    const length = 4_242;
    const env = {
      NODE_OPTIONS: `--import ${new URL('../kit/kill-before-answer.mjs', import.meta.url)}`,
      // In the text block of the answer the result is JSON once more.
      KILL_AT: `\\"contentLength\\":${length}`,
      KILLED_ONCE: mark,
    };
    const claude = await assistant(folder, { era, args: ['--agent', 'claude'], env });
    await call(claude, 'registerSession', { sessionKey: 'work', agentFrom: 'claude' });
    const entry = { sessionKey: 'work', contextType: 'message' };
    await call(claude, 'updateContext', { ...entry, content: 'before' });
    const [server] = serversOn(folder);
    const written = await call(claude, 'updateContext', { ...entry, content: 'x'.repeat(length) });
    expect(existsSync(mark)).toBe(true);
    expect(serversOn(folder)).not.toContain(server);
    expect(written).toMatchObject({ success: true, replayed: true, contextEntry: { sequenceNumber: 2 } });
    const after = await call(claude, 'updateContext', { ...entry, content: 'after' });
    expect(after).toMatchObject({ success: true, contextEntry: { sequenceNumber: 3 } });
    const { entries } = await call(claude, 'readContext', { sessionKey: 'work' });
    expect(entries.map(({ contentLength }: Wire) => contentLength)).toEqual([6, length, 5]);
    await claude.close();
  },
  60_000,
);

it('assistants:R6 a resume that is said again after its server was killed claims nothing more', async () => {
  const claude = await assistant(folder, { args: ['--agent', 'claude'] });
  const offered = [];
  for (const sessionKey of ['one', 'two']) {
    await call(claude, 'registerSession', { sessionKey, agentFrom: 'claude' });
    offered.push(await call(claude, 'handOff', { sessionKey, to: 'codex', goal: sessionKey }));
  }
  const [first, second] = offered.map(({ handoffId }) => handoffId);
  const resume = { id: 7, method: 'tools/call', params: { name: 'resume', arguments: { accept: true } } };
  const request = { jsonrpc: '2.0', ...resume };
  expect(await said('codex', '0c0c0c0c', request)).toMatchObject({ handoffId: second, yours: true });
  killServer();
  await call(claude, 'listHandoffs', {});
  expect(await said('codex', '0c0c0c0c', request)).toMatchObject({
    ...{ handoffId: second, yours: true, replayed: true, others: [{ handoffId: first }] },
  });
  const named = {
    ...request,
    id: 8,
    params: { name: 'resume', arguments: { accept: true, handoffId: second } },
  };
  expect(await said('codex', '0c0c0c0c', named)).toMatchObject({ yours: true, replayed: true });
  const codex = await assistant(folder, { args: ['--agent', 'codex'] });
  const { handoff } = await call(codex, 'getHandoff', { handoffId: first });
  expect(handoff).toMatchObject({ phase: 'offered' });
  await Promise.all([claude.close(), codex.close()]);
}, 60_000);

function listenerOn(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

describe('links to review pages', () => {
  const ports = () =>
    logOf(folder)
      .filter(({ event }) => event === 'server.ready')
      .map(({ http }) => new URL(String(http)).port);

  it('outlive the server: the next one on the folder has the same port, unless somebody took it', async () => {
    const claude = await assistant(folder, { args: ['--agent', 'claude'] });
    await until(() => ports().length === 1);
    killServer();
    await call(claude, 'listHandoffs', {});
    await until(() => ports().length === 2);
    const [first, second] = ports();
    expect(second).toBe(first);
    await claude.close();
    killServer();
    await until(() => serversOn(folder).length === 0);
    // A process that is gone may hold its port for a moment more.
    const thief = await until(() => listenerOn(Number(first)));
    const again = await assistant(folder, { args: ['--agent', 'claude'] });
    await until(() => ports().length === 3);
    expect(ports()[2]).not.toBe(first);
    expect(logOf(folder)).toContainEqual(expect.objectContaining({ event: 'http.port_taken' }));
    thief?.close();
    await again.close();
  }, 60_000);
});
