/** Finding words again in what was said, within what the caller may read and what one call may cost. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, connectHttp, type Payload } from '../kit/mcp-clients.js';
import { PEOPLE } from '../kit/tokens.js';
import { type McpTestServer, openMcpServer } from './support/mcp-server.js';

let server: McpTestServer;
let alice: Client;
let bob: Client;
beforeAll(async () => {
  server = await openMcpServer({ env: { ...PEOPLE, MACP_MESSAGE_LIMIT_PER_MINUTE: '100000' } });
  alice = await connectHttp(server.url, 'alice-token');
  bob = await connectHttp(server.url, 'bob-token');
});
afterAll(async () => {
  await Promise.all([alice.close(), bob.close()]);
  await server.close(AbortSignal.timeout(1_000));
});

async function session(client: Client, sessionKey: string, contents: readonly string[]): Promise<void> {
  const agentFrom = client === alice ? 'alice' : 'bob';
  await call(client, 'registerSession', { sessionKey, agentFrom });
  for (const content of contents)
    await call(client, 'updateContext', { sessionKey, contextType: 'message', content });
}

const search = (client: Client, args: Record<string, unknown>): Promise<Payload> =>
  call(client, 'searchContext', args);
const placesOf = ({ hits }: Payload) => hits.map((hit: Payload) => `${hit.sessionKey} ${hit.sequenceNumber}`);

describe('assistants:S1 searchContext', () => {
  it('finds words of own sessions, newest session and newest entry first, and nothing of strangers', async () => {
    await session(alice, 'first', ['The zebra is out.', 'nothing', 'A Zebra again']);
    await session(bob, 'foreign', ['a', 'b', 'c', 'zebra']);
    await session(alice, 'second', ['one ZEBRA more']);
    expect(placesOf(await search(alice, { query: 'zebra' }))).toEqual(['second 1', 'first 3', 'first 1']);
    expect(placesOf(await search(alice, { query: 'zebra again' }))).toEqual(['first 3']);
    expect(placesOf(await search(alice, { query: '"is out"', sessionKey: 'first' }))).toEqual(['first 1']);
    expect(await search(alice, { query: 'walrus' })).toMatchObject({ hits: [], complete: true });
    const [hit] = (await search(alice, { query: 'ZEBRA more' })).hits;
    expect(hit).toMatchObject({ contextType: 'message', author: 'alice', snippet: 'one ZEBRA more' });
  });

  it('finds what was handed over up to where it was, after it was accepted and not before', async () => {
    await session(bob, 'handed', ['the quagga']);
    const offer = { sessionKey: 'handed', targetAgent: 'alice', requestType: 'context_transfer' };
    const { handoffId } = await call(bob, 'requestHandoff', offer);
    await call(bob, 'updateContext', {
      sessionKey: 'handed',
      contextType: 'message',
      content: 'a quagga later',
    });
    expect((await search(alice, { query: 'quagga' })).hits).toEqual([]);
    await call(alice, 'acceptHandoff', { handoffId });
    const { phase } = await call(bob, 'getHandoff', { handoffId });
    if (phase !== 'committed') await call(bob, 'commitHandoff', { handoffId });
    expect(placesOf(await search(alice, { query: 'quagga' }))).toEqual(['handed 1']);
  });

  it('goes on from its cursor, each hit once, also when something was written meanwhile', async () => {
    await session(
      alice,
      'pages',
      Array.from({ length: 25 }, (_, index) => `okapi ${index}`),
    );
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await search(alice, { query: 'okapi', limit: 10, ...(cursor && { cursor }) });
      found.push(...placesOf(page));
      cursor = page.nextCursor;
      expect(page.complete).toBe(cursor === undefined);
      await call(alice, 'updateContext', {
        sessionKey: 'pages',
        contextType: 'message',
        content: 'okapi late',
      });
    } while (cursor);
    expect(found).toEqual(Array.from({ length: 25 }, (_, index) => `pages ${25 - index}`));
  });

  it('answers no more than it may, however long the texts are', async () => {
    const text = `gnu ${'\u{1F9AC}'.repeat(500)}`;
    await session(
      alice,
      'long',
      Array.from({ length: 30 }, () => text),
    );
    const page = await search(alice, { query: 'gnu', limit: 50 });
    expect(Math.ceil(Buffer.byteLength(JSON.stringify(page)) / 4)).toBeLessThanOrEqual(3_000);
    expect(page.nextCursor).toBeDefined();
  });

  it.each([
    [{ query: '   ' }, 'query'],
    [{ query: '"open' }, 'query'],
    [{ query: 'x', cursor: 'nonsense' }, 'cursor'],
    [{ query: 'x', sessionKey: 'foreign' }, 'Session not found'],
  ])('refuses %j', async (args, word) => {
    const answer = await search(alice, args);
    expect(answer.success).toBe(false);
    expect(JSON.stringify(answer)).toContain(word);
  });
});

describe('assistants:S2 a search', () => {
  it('reads 16 MiB at most in a call, and comes to the end of 20 MiB with its cursor', async () => {
    const filler = 'x'.repeat(1_000_000);
    await session(alice, 'large', ['the ibex', ...Array.from({ length: 20 }, () => filler)]);
    const args = { query: 'ibex', sessionKey: 'large' };
    const first = await search(alice, args);
    expect(first).toMatchObject({ hits: [], complete: false, nextCursor: expect.any(String) });
    const second = await search(alice, { ...args, cursor: first.nextCursor });
    expect(placesOf(second)).toEqual(['large 1']);
    expect(second.complete).toBe(true);
  }, 60_000);
});
