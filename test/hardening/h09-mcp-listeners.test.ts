/** MCP listeners: what has gone leaves nothing behind, and what a client does not read does not pile up. */
import { PassThrough, Writable } from 'node:stream';
import { queryObjects } from 'node:v8';
import { createMemoryStore } from '@handover/engine';
import { afterEach, describe, expect, it } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { Notices } from '../../packages/server/src/doors/mcp/changes/notices.js';
import { Subscriber } from '../../packages/server/src/doors/mcp/changes/subscriber.js';
import { Subscriptions } from '../../packages/server/src/doors/mcp/changes/subscriptions.js';
import { LegacySession } from '../../packages/server/src/doors/mcp/http/http-session.js';
import { WatchedBody } from '../../packages/server/src/doors/mcp/http/watched-body.js';
import { createCatalogue } from '../../packages/server/src/doors/mcp/resources/catalogue.js';
import { HeldListener } from '../../packages/server/src/services/listening/listener.js';
import { plainConnection } from '../kit/connections.js';
import { bearer, connectHttp } from '../kit/mcp-clients.js';
import { alice } from '../kit/principals.js';
import { until } from '../kit/until.js';
import { type Doors, openDoors } from './support/doors.js';
import { RawMcp } from './support/mcp-session.js';

const KEY = 'watched';
const URI = `handoff://context/${KEY}`;
/** What one listener is made of. */
const PARTS = [LegacySession, Subscriber, Notices, WatchedBody, HeldListener];

const alive = () => PARTS.map((part) => queryObjects(part, { format: 'count' }));
const NONE = PARTS.map(() => 0);

let doors: Doors;
afterEach(() => doors?.close());

async function openWatched(store = createMemoryStore()): Promise<void> {
  doors = await openDoors({ store });
  const made = await doors.handoffs.registerSession(alice, { sessionKey: KEY, agentFrom: 'alice' });
  expect(made).toHaveProperty('value');
}

/** In a turn of its own, so that each is told apart. */
async function update(content: string): Promise<void> {
  const made = await doors.handoffs.updateContext(alice, {
    sessionKey: KEY,
    contextType: 'message',
    content,
  });
  expect(made).toHaveProperty('value');
  await new Promise((resolve) => setTimeout(resolve, 1));
}

describe('hardening:H9 MCP sessions that have gone', () => {
  it('leave nothing behind: those that subscribe, unsubscribe and close, those that are cut off', async () => {
    await openWatched();
    const client = new RawMcp(doors.mcpUrl, 'alice');
    for (let n = 0; n < 150; n++) {
      const id = await client.open();
      const gone = new AbortController();
      const headers = { ...bearer('alice').headers, accept: 'text/event-stream', 'mcp-session-id': id };
      if (n % 3 === 0) await fetch(doors.mcpUrl, { headers, signal: gone.signal });
      expect((await client.call(id, 'resources/subscribe', { uri: URI })).text).toContain('"result":{}');
      if (n % 10 === 0) await update(`${n}`);
      expect((await client.call(id, 'resources/unsubscribe', { uri: URI })).text).toContain('"result":{}');
      gone.abort();
      expect((await client.end(id)).status).toBe(200);
    }
    client.close();
    await until(alive, (left) => String(left) === String(NONE), { everyMs: 500, timeoutMs: 40_000 });
    expect(doors.deps.listeners.count).toBe(0);
    expect(doors.engine.followers).toBe(0);
  });

  it('leave nothing behind when they listen and go at any moment, in the newest revision', async () => {
    await openWatched();
    const client = await connectHttp(doors.mcpUrl, 'alice', 'modern');
    for (let n = 0; n < 60; n++) {
      const gone = new AbortController();
      const listening = client
        .listen({ resourceSubscriptions: [URI], resourcesListChanged: true }, { signal: gone.signal })
        .catch(() => undefined);
      // Before it is sent, while it is judged, and after it was answered.
      await new Promise((resolve) => setTimeout(resolve, n % 12));
      gone.abort();
      await (await listening)?.close();
    }
    await client.close();
    await until(alive, (left) => String(left) === String(NONE), { everyMs: 500, timeoutMs: 40_000 });
    expect(doors.deps.listeners.count).toBe(0);
  });

  it('ten thousand of them: no topic and no subscriber is left', async () => {
    await openWatched();
    const { handoffs, deps } = doors;
    const kinds = createCatalogue({
      handoffs,
      metrics: deps.metrics,
      health: () => ({ ok: true, name: '', version: '' }),
      now: deps.now,
    } as unknown as Parameters<typeof createCatalogue>[0]);
    const subscriptions = new Subscriptions({ kinds, watch: async () => () => {} });
    for (let n = 0; n < 10_000; n++) {
      const subscription = subscriptions.open({ principal: alice, lists: true, send: () => {} });
      expect(await subscription.follow(URI)).toBe('followed');
      if (n % 2 === 0) subscription.unfollow(URI);
      subscription.close();
    }
    expect([subscriptions.count, subscriptions.topics]).toEqual([0, 0]);
    expect(queryObjects(Subscriber, { format: 'count' })).toBe(0);
  });
});

describe('hardening:H9 a client that does not read', () => {
  const HEADERS = {
    ...bearer('alice').headers,
    host: 'localhost',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const listen = (uris: readonly string[]) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      notifications: { resourceSubscriptions: uris, resourcesListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  });
  const MODERN = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
  const UPDATES = 500;

  it('gets an address once, however often it has changed, over HTTP', async () => {
    await openWatched();
    const body = JSON.stringify(listen([URI]));
    const answer = await doors.app.request('/mcp', {
      method: 'POST',
      headers: { ...HEADERS, ...MODERN },
      body,
    });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    for (let n = 0; n < UPDATES; n++) await update(`${n}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const reading = (async () => {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        text += part.value;
    })();
    await until(() => text.includes('resources/updated'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(text.split('resources/updated').length - 1).toBeLessThanOrEqual(3);
    // It reads again, and hears of what comes.
    const before = text.length;
    await update('one more');
    await until(() => text.slice(before).includes('resources/updated'));
    await reader?.cancel();
    await reading;
    await until(() => doors.deps.listeners.count === 0);
  });

  it('gets an address once over a connection of lines, too', async () => {
    await openWatched();
    const input = new PassThrough();
    const written: string[] = [];
    let reads = true;
    const output = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _, done) {
        written.push(chunk.toString());
        if (reads) done();
      },
    });
    const connection = doors.mcp.serve({ input, output }, alice, plainConnection);
    const say = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const told = () => written.filter((line) => line.includes('resources/updated')).length;
    const clientInfo = { name: 'raw', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    say({ id: 1, method: 'initialize', params });
    say({ method: 'notifications/initialized' });
    say({ id: 2, method: 'resources/subscribe', params: { uri: URI } });
    await until(() => written.some((line) => line.includes('"id":2')));
    await update('it reads');
    await until(() => told() === 1);
    reads = false;
    for (let n = 0; n < UPDATES; n++) await update(`${n}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(output.writableLength).toBeLessThan(1_000);
    expect(told()).toBeLessThanOrEqual(3);
    input.end();
    output.destroy();
    await connection.close();
  });

  it('cannot make the server look up more addresses than a listener follows', async () => {
    const inner = createMemoryStore();
    let loads = 0;
    await openWatched({
      ...inner,
      load: (...args) => {
        loads++;
        return inner.load(...args);
      },
    });
    const most = fixedLimits.mcpAddressesPerListener.value;
    const many = 9_000;
    const uris = Array.from({ length: 100_000 }, (_, n) => `handoff://context/k${n}`);
    const before = loads;
    const ask = async (count: number) => {
      const body = JSON.stringify(listen(uris.slice(0, count)));
      return fetch(doors.mcpUrl, { method: 'POST', headers: { ...HEADERS, ...MODERN }, body });
    };
    const unread = await ask(100_000);
    expect([unread.status, await unread.json()]).toMatchObject([413, { error: { code: -32_000 } }]);
    for (const count of [many, most + 1]) {
      const refused = await (await ask(count)).json();
      expect(refused).toMatchObject({
        id: 1,
        error: { code: -32_602, message: expect.stringContaining(`${count} addresses`) },
      });
    }
    expect(loads - before).toBe(0);
    const fits = await ask(most);
    expect(fits.headers.get('content-type')).toBe('text/event-stream');
    await fits.body?.cancel();
    expect(loads - before).toBeLessThanOrEqual(2 * most);
  });
});
