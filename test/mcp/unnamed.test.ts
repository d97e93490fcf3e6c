/** Callers whose name nobody chose: dev mode without a bearer, and `handover mcp` without `--agent`. */
import { rmSync } from 'node:fs';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, connectHttp, ERAS, type Era, newClient, newDataFolder, read } from '../kit/mcp-clients.js';
import { until } from '../kit/until.js';
import { assistant, cleanUp, kill, serversOn } from '../stdio/support.js';
import { SEED_EXAMPLES } from './seeds/003-examples.js';
import { openMcpServer, useMcpServer } from './support/mcp-server.js';

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...parameters: string[]
  // biome-ignore lint/suspicious/noExplicitAny: what the page's own code parsed
) => (...values: unknown[]) => Promise<any>;

/** The three examples of the page in their order, as they stand. */
async function pasteExamples(client: Client): Promise<{ sessionKey: string; handoffId: string }> {
  const run = (text: string, sessionKey?: string) =>
    new AsyncFunction('client', 'sessionKey', `${text}\nreturn payload;`)(client, sessionKey);
  const registered = await run(SEED_EXAMPLES.registerSession);
  expect(registered).toMatchObject({ success: true, session: { agentFrom: 'docs' } });
  const { sessionKey } = registered.session;
  const updated = await run(SEED_EXAMPLES.updateContext, sessionKey);
  expect(updated).toMatchObject({ success: true, contextEntry: { sequenceNumber: 1 } });
  const requested = await run(SEED_EXAMPLES.requestHandoff, sessionKey);
  expect(requested).toMatchObject({ success: true, status: 'pending', handoffId: expect.any(String) });
  return { sessionKey, handoffId: requested.handoffId };
}

async function connectBare(url: URL, era: Era = 'modern'): Promise<Client> {
  const client = newClient(era);
  await client.connect(new StreamableHTTPClientTransport(url));
  afterAll(() => client.close());
  return client;
}

describe('dev mode without a bearer', async () => {
  const server = await useMcpServer();

  it.each(ERAS)('assistants:E5 the examples of the page, pasted (%s)', async (era) => {
    const bare = await connectBare(server.url, era);
    const { sessionKey } = await pasteExamples(bare);
    expect(await read(bare, `handoff://context/${sessionKey}`)).toMatchObject({
      entries: [{ content: 'Hello' }],
    });
    expect(await read(bare, `handoff://summary/${sessionKey}`)).toMatchObject({ sessionKey });
    const found = await call(bare, 'searchContext', { query: 'Hello', sessionKey });
    expect(found.hits).toMatchObject([{ author: 'docs' }]);
  });

  it('assistants:E5 a subscriber hears of a session that it registered so', async () => {
    const bare = await connectBare(server.url);
    await call(bare, 'registerSession', { sessionKey: 'heard', agentFrom: 'docs' });
    const heard: string[] = [];
    bare.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(params.uri);
    });
    await bare.listen({ resourceSubscriptions: ['handoff://context/heard'] });
    await call(bare, 'updateContext', { sessionKey: 'heard', contextType: 'message', content: 'x' });
    await until(() => heard.includes('handoff://context/heard'));
  });

  it('assistants:E5 acts for whoever owns the session now', async () => {
    const bare = await connectBare(server.url);
    const bob = await connectHttp(server.url, 'bob');
    await call(bare, 'registerSession', { sessionKey: 'moves', agentFrom: 'docs' });
    const { handoffId } = await call(bare, 'requestHandoff', {
      ...{ sessionKey: 'moves', targetAgent: 'bob', requestType: 'full_handoff', autoCommit: true },
    });
    await call(bob, 'acceptHandoff', { handoffId });
    const entry = { sessionKey: 'moves', contextType: 'message', content: 'x' };
    expect(await call(bare, 'updateContext', entry)).toMatchObject({ success: true });
    const { entries } = await read(bob, 'handoff://context/moves');
    expect(entries).toMatchObject([{ author: 'bob' }]);
    await bob.close();
  });

  it('assistants:E5 what was registered with a bearer stays theirs, all else is the default agent', async () => {
    const bare = await connectBare(server.url);
    const ann = await connectHttp(server.url, 'ann');
    await call(ann, 'registerSession', { sessionKey: 'anns', agentFrom: 'ann' });
    const entry = { sessionKey: 'anns', contextType: 'message', content: 'x' };
    expect(await call(bare, 'updateContext', entry)).toMatchObject({ errorCode: 'SESSION_NOT_FOUND' });
    await call(bare, 'registerSession', { sessionKey: 'docs-1', agentFrom: 'docs' });
    const listed = JSON.stringify(await read(bare, 'handoff://sessions'));
    expect(listed).not.toContain('docs-1');
    await ann.close();
  });

  it.each(['operator', '_runtime', 'person:ann'])('no name of the server: %s', async (agentFrom) => {
    const bare = await connectBare(server.url);
    const answer = await call(bare, 'registerSession', { sessionKey: `as-${agentFrom}`, agentFrom });
    expect(answer).toMatchObject({ errorCode: 'VALIDATION_ERROR', details: { field: 'agentFrom' } });
  });

  it('assistants:E6 with a bearer the name must match, and the refusal says how', async () => {
    const ann = await connectHttp(server.url, 'ann');
    const answer = await call(ann, 'registerSession', { sessionKey: 'hers', agentFrom: 'docs' });
    expect(answer).toMatchObject({ errorCode: 'FORBIDDEN', statusCode: 403 });
    expect(answer.error).toContain('use Authorization: Bearer docs');
    await ann.close();
  });
});

it('with real credentials nothing of this holds', async () => {
  const tokens = [{ token: 'a-token-of-twenty-and-more-letters', sender: 'ann' }];
  const server = await openMcpServer({ env: { MACP_AUTH_TOKENS_JSON: JSON.stringify({ tokens }) } });
  const bare = newClient('modern');
  await expect(bare.connect(new StreamableHTTPClientTransport(server.url))).rejects.toThrow();
  const ann = await connectHttp(server.url, 'a-token-of-twenty-and-more-letters');
  const answer = await call(ann, 'registerSession', { sessionKey: 'hers', agentFrom: 'docs' });
  expect(answer.error).toBe('agentFrom must be your own agent id, which is ann');
  await ann.close();
  await server.close(AbortSignal.timeout(1_000));
});

describe('a connection without --agent', () => {
  let folder: string;
  beforeEach(() => {
    folder = newDataFolder();
  });
  afterEach(async () => {
    await cleanUp(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  const register = (client: Client, sessionKey: string, agentFrom: string) =>
    call(client, 'registerSession', { sessionKey, agentFrom });

  it.each(ERAS)('assistants:E5 the examples of the page, pasted (%s)', async (era) => {
    const client = await assistant(folder, { era });
    const heard: string[] = [];
    client.setNotificationHandler('notifications/resources/list_changed', () => {
      heard.push('lists');
    });
    if (era === 'modern') await client.listen({ resourcesListChanged: true });
    const { sessionKey } = await pasteExamples(client);
    await until(() => heard.length > 0);
    const inbox = await read(client, 'handoff://agents/docs/sessions');
    expect(JSON.stringify(inbox)).toContain(sessionKey);
    await client.close();
  });

  it('assistants:E5 keeps the name that it took, also when the server was killed', async () => {
    const client = await assistant(folder, {});
    await register(client, 'one', 'docs');
    const second = await register(client, 'two', 'other');
    expect(second).toMatchObject({ errorCode: 'FORBIDDEN' });
    expect(second.error).toContain('start it with --agent other');
    for (const pid of serversOn(folder)) kill(pid, 'SIGKILL');
    const entry = { sessionKey: 'one', contextType: 'message', content: 'x' };
    expect(await call(client, 'updateContext', entry)).toMatchObject({ success: true });
    expect(await register(client, 'two', 'docs')).toMatchObject({ success: true });
    await client.close();
  });

  it('assistants:E5 cannot take a name that is connected or owns a session', async () => {
    const docs = await assistant(folder, { args: ['--agent', 'docs'] });
    const client = await assistant(folder, { name: 'one' });
    const refused = await register(client, 'a', 'docs');
    expect(refused).toMatchObject({ errorCode: 'FORBIDDEN' });
    expect(refused.error).toContain('start it with --agent docs');
    await register(docs, 'b', 'docs');
    await docs.close();
    // The server has heard of the end of the other one by the time it answers.
    await call(client, 'listHandoffs', {});
    expect(await register(client, 'c', 'docs')).toMatchObject({ errorCode: 'FORBIDDEN' });
    expect(await register(client, 'c', 'free')).toMatchObject({ success: true });
    await client.close();
  });

  it('two that take one name at once: one gets it', async () => {
    const clients = await Promise.all([
      assistant(folder, { name: 'one' }),
      assistant(folder, { name: 'two' }),
    ]);
    const answers = await Promise.all(clients.map((client, n) => register(client, `s${n}`, 'docs')));
    expect(answers.map(({ success }) => success).sort()).toEqual([false, true]);
    await Promise.all(clients.map((client) => client.close()));
  });

  it('assistants:E6 with --agent claude, agentFrom docs: refused, with a hint', async () => {
    const claude = await assistant(folder, { args: ['--agent', 'claude'] });
    const answer = await register(claude, 'a', 'docs');
    expect(answer).toMatchObject({ errorCode: 'FORBIDDEN' });
    expect(answer.error).toContain('start it with --agent docs');
    await claude.close();
  });
});
