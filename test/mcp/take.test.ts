/** Taking work over from a silent owner through MCP, over HTTP (assistants:2.3). */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../packages/server/src/server.js';
import { createClock } from '../kit/clock.js';
import { bearer, call, connectHttp, ERAS, type Era } from '../kit/mcp-clients.js';
import { checkingResults } from '../kit/mcp-results.js';
import { openServer } from '../kit/server.js';

const PROJECT = { 'handover-project': 'shop' };
const clock = createClock(1_800_000_000_000);
let server: Server;

beforeAll(async () => {
  server = await openServer({ now: () => clock.now });
});
afterAll(() => server.close());

type Answer = 'accept' | 'decline' | 'cancel';
interface Asking {
  readonly era?: Era;
  readonly answer?: Answer;
  readonly elicitation?: Readonly<Record<string, Record<string, never>>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly to?: Server;
}

/** A client of an agent in the project; with `elicitation` it says that it can ask the user. */
async function open(token: string, options: Asking = {}) {
  const { era = 'modern', elicitation, answer = 'accept', headers = PROJECT, to = server } = options;
  const asked: { readonly message: string; readonly requestedSchema: unknown }[] = [];
  const client = new Client(
    { name: 'asks', version: '1.0.0' },
    {
      ...(era === 'modern' && { versionNegotiation: { mode: 'auto' } }),
      ...(elicitation && { capabilities: { elicitation } }),
    },
  );
  if (elicitation)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params as (typeof asked)[number]);
      return answer === 'accept' ? { action: answer, content: {} } : { action: answer };
    });
  const requestInit = { headers: { ...bearer(token).headers, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', to.httpUrl), { requestInit }));
  return { client: checkingResults(client), asked };
}

let count = 0;
/** A session of an owner of its own, in the project, silent for that long. */
async function silentWork(seconds: number, to = server) {
  const owner = `owner${++count}`;
  const sessionKey = `work-${count}`;
  const { client } = await open(owner, { to });
  await call(client, 'registerSession', { sessionKey, agentFrom: owner });
  await call(client, 'updateContext', { sessionKey, contextType: 'message', content: 'text' });
  const silentSince = new Date(clock.now).toISOString();
  clock.now += seconds * 1_000;
  return { owner, sessionKey, silentSince, client };
}

describe.each(ERAS)('the user is asked, %s', (era) => {
  const FORM = { form: {} };

  it('and says yes: the work is taken, once (assistants:O7)', async () => {
    const { owner, sessionKey, silentSince, client: old } = await silentWork(601);
    const { client, asked } = await open('codex', { era, elicitation: FORM });
    const taken = await call(client, 'resume', { take: true, sessionKey });
    expect(taken).toMatchObject({
      ...{ kind: 'silent', yours: true, sessionKey, from: owner, owner: 'codex' },
      warnings: [{ code: 'TAKEN_OVER', from: owner, silentSince }],
    });
    const since = `${silentSince.slice(0, 16).replace('T', ' ')} UTC`;
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      message: `Take ${sessionKey} over from ${owner}, silent since ${since}?`,
      requestedSchema: { type: 'object', properties: {} },
    });
    const late = { sessionKey, contextType: 'message', content: 'late' };
    expect(await call(old, 'updateContext', late)).toMatchObject({
      errorCode: 'FORBIDDEN',
      details: { owner: 'codex', silentSince, authority: 'operator' },
    });
  });

  it.each([
    ['decline', 'the user declined'],
    ['cancel', 'the user closed the question without an answer'],
  ] as const)('and answers %s: nothing is taken (assistants:O7)', async (answer, message) => {
    const { sessionKey, client: old } = await silentWork(601);
    const { client, asked } = await open('codex', { era, elicitation: FORM, answer });
    expect(await call(client, 'resume', { take: true, sessionKey })).toMatchObject({
      ...{ errorCode: 'FORBIDDEN', error: expect.stringContaining(message) },
    });
    expect(asked).toHaveLength(1);
    const entry = { sessionKey, contextType: 'message', content: 'still mine' };
    expect(await call(old, 'updateContext', entry)).toMatchObject({ success: true });
  });

  it.each([
    ['that cannot ask', undefined, 0],
    ['that can only open pages', { url: {} }, 0],
    ['from before there were two ways to ask', {}, 1],
  ])('by a client %s: then the policy decides (assistants:O7)', async (_client, elicitation, times) => {
    const { sessionKey } = await silentWork(601);
    const { client, asked } = await open('codex', { era, ...(elicitation && { elicitation }) });
    expect(await call(client, 'resume', { take: true, sessionKey })).toMatchObject({ yours: true });
    expect(asked).toHaveLength(times);
  });

  it('only about what can be taken, and never for what is one’s own or offered (assistants:O1)', async () => {
    const { sessionKey, silentSince } = await silentWork(599);
    const { client, asked } = await open('codex', { era, elicitation: FORM });
    expect(await call(client, 'resume', { take: true, sessionKey })).toMatchObject({
      errorCode: 'FORBIDDEN',
      details: { silentSince, possibleAt: new Date(clock.now + 1_000).toISOString() },
    });
    clock.now += 2_000;
    await call(client, 'resume', { take: true, sessionKey });
    await call(client, 'resume', { take: true, sessionKey });
    expect(asked).toHaveLength(1);
  });
});

it('an accepted offer that its owner does not commit is taken by its target (assistants:O8)', async () => {
  const { owner, sessionKey, client: old } = await silentWork(0);
  const offered = { sessionKey, targetAgent: 'dan', requestType: 'full_handoff', autoCommit: false };
  const { handoffId } = await call(old, 'requestHandoff', offered);
  const { client } = await open('dan');
  await call(client, 'acceptHandoff', { handoffId });
  const entry = { sessionKey, contextType: 'message', content: 'mine now' };
  expect(await call(client, 'updateContext', entry)).toMatchObject({ errorCode: 'FORBIDDEN' });
  clock.now += 601_000;
  const taken = await call(client, 'resume', { take: true, sessionKey });
  expect(taken).toMatchObject({ yours: true, from: owner });
  expect(await call(client, 'updateContext', entry)).toMatchObject({ success: true });
  const { handoff } = await call(client, 'getHandoff', { handoffId: taken.handoffId });
  expect(handoff).toMatchObject({ from: owner, to: 'dan', phase: 'committed' });
});

it('over HTTP without the name of the project nothing of others is found', async () => {
  const { sessionKey } = await silentWork(601);
  for (const headers of [{}, { 'handover-project': 'other' }]) {
    const { client } = await open('erin', { headers });
    expect(await call(client, 'resume', { take: true, sessionKey })).toMatchObject({
      errorCode: 'SESSION_NOT_FOUND',
    });
    expect(await call(client, 'resume', { take: true })).toMatchObject({ kind: 'nothing' });
  }
});

it('with credentials no agent takes by itself, an administrator does (assistants:O4)', async () => {
  const token = (sender: string, scopes?: readonly string[]) => ({
    ...{ token: `${sender}-token-of-at-least-24-bytes`, sender },
    ...(scopes && { scopes }),
  });
  const agents = [`owner${count + 1}`, 'bob'].map((name) => token(name));
  const scopes = ['handoff:read', 'handoff:write', 'handoff:accept', 'handoff:admin'];
  const secured = await openServer({
    now: () => clock.now,
    env: { MACP_AUTH_TOKENS_JSON: JSON.stringify([...agents, token('root', scopes)]) },
  });
  const connect = (name: string) => connectHttp(new URL('/mcp', secured.httpUrl), token(name).token);
  const owner = `owner${++count}`;
  const [old, bob, root] = await Promise.all([connect(owner), connect('bob'), connect('root')]);
  await call(old, 'registerSession', { sessionKey: 'work', agentFrom: owner });
  clock.now += 10_000_000;
  expect(await call(bob, 'resume', { take: true, sessionKey: 'work' })).toMatchObject({
    errorCode: 'FORBIDDEN',
  });
  const taken = await call(root, 'resume', { take: true, sessionKey: 'work' });
  expect(taken).toMatchObject({ yours: true, from: owner, owner: 'root' });
  const { handoff } = await call(root, 'getHandoff', { handoffId: taken.handoffId });
  expect(handoff.reason).toContain('by admin root');
  for (const client of [old, bob, root]) await client.close();
  await secured.close();
});
