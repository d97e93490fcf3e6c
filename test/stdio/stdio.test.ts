/** `handover mcp` as assistants use it: real processes, the official client, one data folder, no set-up. */
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, newDataFolder } from '../kit/mcp-clients.js';
import { startServerProcess } from '../kit/server-process.js';
import { until } from '../kit/until.js';
import { assistant, cleanUp, kill, logOf, run, serversOn } from './support.js';

let folder = '';
const closers: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = newDataFolder();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close().catch(() => undefined);
  await cleanUp(folder);
});

async function open(...args: Parameters<typeof assistant>) {
  const client = await assistant(...args);
  closers.push(() => client.close());
  return client;
}

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})}\n`;

describe('two assistants', () => {
  it.each(['legacy', 'modern'] as const)('share one inbox with no set-up (%s)', async (era) => {
    const [one, two] = await Promise.all([
      open(folder, { name: 'Assistant One', era }),
      open(folder, { name: 'Assistant Two!', era }),
    ]);
    const registered = await call(one, 'registerSession', { sessionKey: 'work', agentFrom: 'assistant-one' });
    expect(registered).toMatchObject({ success: true });
    await call(one, 'updateContext', { sessionKey: 'work', contextType: 'message', content: 'first' });
    const requested = await call(one, 'requestHandoff', {
      sessionKey: 'work',
      targetAgent: 'assistant-two',
      requestType: 'full_handoff',
    });
    expect(requested).toMatchObject({ success: true, status: 'pending' });
    const { handoffId } = requested;
    const listed = await call(two, 'listHandoffs', { box: 'inbox' });
    expect(listed.handoffs).toMatchObject([{ handoffId, from: 'assistant-one' }]);
    expect(await call(two, 'acceptHandoff', { handoffId })).toMatchObject({ success: true });
    expect(await call(one, 'commitHandoff', { handoffId })).toMatchObject({ success: true });
    const write = { sessionKey: 'work', contextType: 'message', content: 'second' };
    expect(await call(two, 'updateContext', write)).toMatchObject({ success: true });
    expect(await call(one, 'updateContext', write)).toMatchObject({ success: false, errorCode: 'FORBIDDEN' });
    // Whoever lost the race may still be on its way out.
    await until(() => serversOn(folder).length === 1);
  });

  it('assistants:P3 two windows of one are one agent, and both work', async () => {
    const [one, two] = await Promise.all([
      open(folder, { name: 'Claude Code' }),
      open(folder, { name: 'Claude Code', era: 'modern' }),
    ]);
    const session = { sessionKey: 'a', agentFrom: 'claude-code' };
    expect(await call(one, 'registerSession', session)).toMatchObject({ success: true });
    const write = { sessionKey: 'a', contextType: 'message', content: 'mine, too' };
    const warnings = [{ code: 'OTHER_WINDOW', instance: expect.stringMatching(/^[0-9a-f]{8}$/) }];
    expect(await call(two, 'updateContext', write)).toMatchObject({
      contextEntry: { sequenceNumber: 1 },
      warnings,
    });
    expect(await call(two, 'updateContext', write)).not.toHaveProperty('warnings');
    expect(await call(one, 'updateContext', write)).toMatchObject({
      contextEntry: { sequenceNumber: 3 },
      warnings,
    });
    const named = await open(folder, { name: 'Claude Code', args: ['--agent', 'other'] });
    expect(await call(named, 'updateContext', write)).toMatchObject({ errorCode: 'SESSION_NOT_FOUND' });
  });
});

describe('the server that is started', () => {
  it('assistants:N5 is one, however many start at once', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const clients = await Promise.all(names.map((name) => open(folder, { name })));
    await Promise.all(
      clients.map((client, n) =>
        call(client, 'registerSession', { sessionKey: `key-${n}`, agentFrom: names[n] }),
      ),
    );
    await until(() => serversOn(folder).length === 1);
    expect(logOf(folder).filter(({ event }) => event === 'server.ready')).toHaveLength(1);
  });

  it('killed outright, is replaced, with everything that was said', async () => {
    const first = await open(folder, { name: 'first' });
    await call(first, 'registerSession', { sessionKey: 'work', agentFrom: 'first' });
    const write = { sessionKey: 'work', contextType: 'message', content: 'kept' };
    expect(await call(first, 'updateContext', write)).toMatchObject({ success: true });
    for (const pid of serversOn(folder)) kill(pid, 'SIGKILL');
    // The same connection goes on with another server.
    expect(await call(first, 'updateContext', write)).toMatchObject({
      success: true,
      contextEntry: { sequenceNumber: 2 },
    });
  });

  it('ends when nobody has used it for a while, and leaves nothing to connect to', async () => {
    const client = await assistant(folder, { name: 'brief', env: { HANDOVER_IDLE_SECS: '1' } });
    await call(client, 'registerSession', { sessionKey: 'work', agentFrom: 'brief' });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(serversOn(folder)).toHaveLength(1);
    await client.close();
    await until(() => serversOn(folder).length === 0);
    expect(statSync(join(folder, 'local.sock'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('answers over HTTP only for its health, to nobody as anybody', async () => {
    await open(folder, { name: 'web' });
    // Assistants are served a moment before the line of the log is written.
    const ready = () => logOf(folder).find(({ event }) => event === 'server.ready');
    await until(() => ready() !== undefined);
    const url = String(ready()?.http);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const status = async (path: string, init?: RequestInit) => (await fetch(`${url}${path}`, init)).status;
    expect(await status('/health')).toBe(200);
    const headers = { authorization: 'Bearer web', 'content-type': 'application/json' };
    expect(await status('/mcp', { method: 'POST', headers, body: INITIALIZE })).toBe(404);
    expect(await status('/macp/session', { headers })).toBe(404);
    expect(await status('/metrics')).toBe(404);
  });

  it('keeps its files to the user', async () => {
    await open(folder, { name: 'modes' });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of ['local.sock', 'local-token', 'local-server.log', 'handover.db'])
      expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
  });

  it('is found in a folder whose name is too long for a socket', async () => {
    const deep = join(folder, 'x'.repeat(60), 'y'.repeat(60));
    mkdirSync(deep, { recursive: true, mode: 0o700 });
    const [one, two] = await Promise.all([open(deep, { name: 'one' }), open(deep, { name: 'two' })]);
    await call(one, 'registerSession', { sessionKey: 'work', agentFrom: 'one' });
    const again = await call(two, 'registerSession', { sessionKey: 'work', agentFrom: 'two' });
    expect(again).toMatchObject({ success: false, errorCode: 'CONFLICT' });
  });

  it('may as well be one that was started by hand', async () => {
    const server = await startServerProcess({ dataDir: folder });
    closers.push(() => server.stop('SIGTERM'));
    const client = await open(folder, { name: 'joined' });
    await call(client, 'registerSession', { sessionKey: 'work', agentFrom: 'joined' });
    expect(serversOn(folder)).toHaveLength(1);
    expect(logOf(folder)).toEqual([]);
  });
});

describe('the pipe', () => {
  it('carries protocol and nothing else on stdout', async () => {
    const list = `${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`;
    const ready = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`;
    const { stdout, code } = await run(['mcp', '--data-dir', folder], {
      input: INITIALIZE + ready + list,
      openUntil: /"id":2[,}]/,
      env: { MACP_LOG_LEVEL: 'debug', HANDOVER_NO_SUCH_SETTING: '1' },
    });
    const messages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { jsonrpc: string; id?: number });
    expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(messages.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2]));
    expect(code).toBe(0);
  });

  it('says on stderr why it cannot start, and nothing on stdout', async () => {
    const wrong = await run(['mcp', '--data-dir', folder], { env: { MCP_HTTP_PORT: 'no' } });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain('MCP_HTTP_PORT');
    const badName = await run(['mcp', '--agent', 'a\nb', '--data-dir', folder]);
    expect(badName).toMatchObject({ code: 1, stdout: '' });
  });

  it('asks an assistant without a name to be given one', async () => {
    const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })}\n`;
    const { stdout } = await run(['mcp', '--data-dir', folder], { input: ping, openUntil: /"id":7[,}]/ });
    expect(JSON.parse(stdout.trim())).toMatchObject({
      id: 7,
      error: { message: expect.stringContaining('--agent') },
    });
  });
});

describe('the socket', () => {
  /** What comes back for these bytes, until the server closes. */
  const say = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(join(folder, 'local.sock'));
      let heard = '';
      socket.on('data', (chunk) => {
        heard += chunk;
      });
      socket.on('close', () => resolve(heard));
      socket.on('error', () => undefined);
      socket.write(text);
    });
  const hello = (over: object) =>
    `${JSON.stringify({ handover: 1, wanted: 'mcp', agent: 'x', version: '0', ...over })}\n`;

  it('lets nobody in without the token', async () => {
    await open(folder, { name: 'owner' });
    const token = readFileSync(join(folder, 'local-token'), 'utf8').trim();
    for (const wrong of ['', 'x', `${token}0`, token.replace(/./, (c) => (c === '0' ? '1' : '0'))]) {
      const heard = await say(hello({ token: wrong }) + INITIALIZE);
      expect(heard.trim().split('\n')).toHaveLength(1);
      expect(JSON.parse(heard)).toMatchObject({ ok: false, error: expect.stringContaining('token') });
    }
    for (const text of ['GET / HTTP/1.1\r\n\r\n', '{}\n', hello({}), hello({ token, wanted: 'everything' })])
      expect(JSON.parse(await say(text))).toMatchObject({ ok: false });
    expect(JSON.parse(await say('x'.repeat(20_000)))).toMatchObject({ ok: false });
  });
});
