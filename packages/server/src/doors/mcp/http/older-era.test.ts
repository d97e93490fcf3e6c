import { afterEach, describe, expect, it } from 'vitest';
import { plainConnection } from '../../../../../../test/kit/connections.js';
import { agent } from '../../../../../../test/kit/principals.js';
import { createWorld } from '../../../../../../test/kit/world.js';
import type { Principal } from '../../../auth/principal.js';
import { silentLog } from '../../../observe/log.js';
import { rateFlaw } from '../../../services/rate-flaw.js';
import { EventStreams } from '../../http/event-streams.js';
import { Subscriptions } from '../changes/subscriptions.js';
import type { McpDependencies } from '../dependencies.js';
import { createToolTable } from '../tool-table.js';
import { OlderEra } from './older-era.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const URL = 'http://localhost/mcp';
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

let era: OlderEra;
afterEach(() => era.close());

function setUp(
  limits = { idleMs: 1_000, perCaller: 1, inAll: 2 },
  env: Readonly<Record<string, string>> = {},
) {
  const services = createWorld({ env }).deps;
  const { listeners } = services;
  const deps = {
    tools: createToolTable([]),
    kinds: [],
    subscriptions: new Subscriptions({ kinds: [], watch: async () => () => {} }),
    listeners,
    rate: (principal: Principal) => rateFlaw(services, principal),
    streams: new EventStreams(),
    log: silentLog,
    serverName: () => 'test',
    serverVersion: '1',
  } as unknown as McpDependencies;
  const clock = { now: 0 };
  era = new OlderEra(deps, limits, () => clock.now);
  const disconnect = () => {};
  const initialize = (who: string, message: object = INITIALIZE) =>
    era.handle({
      request: new Request(URL, { method: 'POST', headers: HEADERS }),
      message,
      principal: agent(who),
      connection: plainConnection,
      disconnect,
    });
  const get = (who: string, session: string, signal: AbortSignal) => {
    const headers = { accept: 'text/event-stream', 'mcp-session-id': session };
    const request = new Request(URL, { headers, signal });
    return era.handle({
      request,
      message: undefined,
      principal: agent(who),
      connection: plainConnection,
      disconnect,
    });
  };
  const open = async (who: string) => {
    const answer = await initialize(who);
    await answer.text();
    return answer.headers.get('mcp-session-id') ?? '';
  };
  return { clock, initialize, get, open, listeners };
}

describe('room for a new HTTP session', () => {
  it('is made by the one that is idle, never by one that is answering or has a stream', async () => {
    const { initialize, get, open } = setUp();
    const answering = await initialize('alice');
    expect((await initialize('alice')).status, 'its answer is not read yet').toBe(429);
    await answering.text();
    const session = await open('alice');
    const gone = new AbortController();
    const stream = await get('alice', session, gone.signal);
    expect(stream.status).toBe(200);
    const refused = await initialize('alice');
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { error: { message: expect.stringContaining('in use') } },
    ]);
    gone.abort();
    expect((await initialize('alice')).status).toBe(200);
    expect(era.size).toBe(1);
  });

  it('is not overrun by those who come at the same time', async () => {
    const { initialize } = setUp({ idleMs: 1_000, perCaller: 5, inAll: 100 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => initialize('alice')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(era.size).toBe(5);
  });

  it('is not taken by a request that opens none', async () => {
    const { initialize } = setUp();
    const params = { ...INITIALIZE.params, protocolVersion: 7 };
    await (await initialize('alice', { ...INITIALIZE, params })).text();
    expect(era.size).toBe(0);
  });
});

describe('initialize', () => {
  it('counts in the rate of the caller, before a session of its own makes room', async () => {
    const { initialize, get, open } = setUp(undefined, { MACP_MESSAGE_LIMIT_PER_MINUTE: '2' });
    await open('alice');
    const last = await open('alice');
    const refused = await initialize('alice');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('MACP_MESSAGE_LIMIT_PER_MINUTE') },
    });
    const gone = new AbortController();
    expect((await get('alice', last, gone.signal)).status).toBe(200);
    gone.abort();
    expect((await initialize('bob')).status).toBe(200);
  });
});

describe('a session that is not there', () => {
  it('says what to do', async () => {
    const { get } = setUp();
    const answer = await get('alice', 'no-such-session', new AbortController().signal);
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { error: { message: expect.stringContaining('initialize again') } },
    ]);
  });
});

describe('a stream whose client is gone before it begins', () => {
  it('holds neither its session nor a place among the listeners', async () => {
    const { clock, get, open, listeners } = setUp();
    const session = await open('alice');
    await get('alice', session, AbortSignal.abort());
    expect(listeners.count).toBe(0);
    // Another one may be opened: the SDK has but one for a session.
    const gone = new AbortController();
    expect((await get('alice', session, gone.signal)).status).toBe(200);
    expect(listeners.count).toBe(1);
    gone.abort();
    expect(listeners.count).toBe(0);
    clock.now = 5_000;
    era.sweep();
    expect(era.size).toBe(0);
  });
});
