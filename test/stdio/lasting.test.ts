/** The server dies, the assistant does not notice: real processes, killed outright. */
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LineClient } from '../hardening/support/local-socket.js';
import type { Wire } from '../hardening/support/raw-mcp.js';
import { call, ERAS, newDataFolder, payloadOf } from '../kit/mcp-clients.js';
import { until } from '../kit/until.js';
import { assistant, cleanUp, kill, logOf, serversOn } from './support.js';

let folder: string;
beforeEach(() => {
  folder = newDataFolder();
});
afterEach(async () => {
  await cleanUp(folder);
  rmSync(folder, { recursive: true, force: true });
});

function killServer(): void {
  for (const pid of serversOn(folder)) kill(pid, 'SIGKILL');
}

describe.each(ERAS)('assistants:N1 a server that is killed (%s)', (era) => {
  it('while it is idle, while it waits and among fifty writes: no error, no gap, nothing twice', async () => {
    const claude = await assistant(folder, { era, args: ['--agent', 'claude'] });
    const codex = await assistant(folder, { era, args: ['--agent', 'codex'] });
    await call(claude, 'registerSession', { sessionKey: 'work', agentFrom: 'claude' });
    killServer();
    const entry = (content: string) => ({ sessionKey: 'work', contextType: 'message', content });
    await call(claude, 'updateContext', entry('after the first'));

    const waited = codex.callTool({ name: 'waitForHandoff', arguments: { timeoutMs: 50_000 } });
    await call(claude, 'updateContext', entry('before the second'));
    killServer();
    await until(() => serversOn(folder).length === 1);
    const offer = { sessionKey: 'work', targetAgent: 'codex', requestType: 'context_transfer' };
    const { handoffId } = await call(claude, 'requestHandoff', offer);
    expect(JSON.stringify(payloadOf(await waited))).toContain(handoffId);

    const writes = Array.from({ length: 50 }, (_, index) =>
      call(claude, 'updateContext', entry(`n${index}`)),
    );
    await writes[9];
    killServer();
    const numbers = (await Promise.all(writes)).map(({ contextEntry }) => contextEntry.sequenceNumber);
    expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 3));
    await claude.close();
    await codex.close();
  }, 120_000);
});

describe('assistants:N2 a request whose answer was lost', () => {
  /** As the pipe joins: the window keeps its name. It answers with what the server said to this one line. */
  async function said(instance: string | undefined, message: Readonly<{ id: number }>): Promise<Wire> {
    const client = await LineClient.connect(folder, 'claude', instance);
    await client.initialize();
    client.say(message);
    const answer = await until(() => client.answers.find(({ id }) => id === message.id));
    client.socket.destroy();
    return JSON.parse(answer?.result.content[0].text);
  }

  it('is carried out once: the same line of the same window is the same request, another is not', async () => {
    const claude = await assistant(folder, { args: ['--agent', 'claude'] });
    await call(claude, 'registerSession', { sessionKey: 'work', agentFrom: 'claude' });
    const write = (id: number, content = 'x') => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name: 'updateContext', arguments: { sessionKey: 'work', contextType: 'message', content } },
    });
    const numberOf = ({ contextEntry }: Wire) => contextEntry.sequenceNumber;
    expect(numberOf(await said('0a0a0a0a', write(7)))).toBe(1);
    killServer();
    await call(claude, 'listHandoffs', {});
    const again = await said('0a0a0a0a', write(7));
    expect([numberOf(again), again.replayed]).toEqual([1, true]);
    expect(numberOf(await said('0a0a0a0a', write(8)))).toBe(2);
    expect(numberOf(await said('0a0a0a0a', write(7, 'y')))).toBe(3);
    expect(numberOf(await said('0b0b0b0b', write(7)))).toBe(4);
    expect(numberOf(await said(undefined, write(7)))).toBe(5);
    await claude.close();
  }, 60_000);
});

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

describe('assistants:N3 a subscription', () => {
  it.each(ERAS)(
    'still delivers after the server was killed (%s)',
    async (era) => {
      const claude = await assistant(folder, { era, args: ['--agent', 'claude'] });
      const codex = await assistant(folder, { era, args: ['--agent', 'codex'] });
      await call(claude, 'registerSession', { sessionKey: 'work', agentFrom: 'claude' });
      await call(claude, 'updateContext', { sessionKey: 'work', contextType: 'message', content: 'x' });
      const heard: string[] = [];
      codex.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        heard.push(params.uri);
      });
      const inbox = 'handoff://agents/codex/inbox';
      if (era === 'modern') await codex.listen({ resourceSubscriptions: [inbox] });
      else await codex.subscribeResource({ uri: inbox });
      killServer();
      await call(codex, 'listHandoffs', {});
      await call(claude, 'requestHandoff', {
        ...{ sessionKey: 'work', targetAgent: 'codex', requestType: 'full_handoff' },
      });
      await until(() => heard.includes(inbox));
      await claude.close();
      await codex.close();
    },
    60_000,
  );
});
