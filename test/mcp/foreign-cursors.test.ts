/** A place in one list is refused by every other list and door: read there, it would skip entries without a word. */
import { afterAll, expect, it } from 'vitest';
import { call, connectHttp, read } from '../kit/mcp-clients.js';
import { useMcpServer } from './support/mcp-server.js';

const server = await useMcpServer();
const [alice, bob] = [await connectHttp(server.url, 'alice'), await connectHttp(server.url, 'bob')];
afterAll(() => Promise.all([alice.close(), bob.close()]));

for (let i = 0; i < 3; i++) {
  const sessionKey = `k${i}`;
  await call(alice, 'registerSession', { sessionKey, agentFrom: 'alice' });
  for (let entry = 0; entry < 9; entry++)
    await call(alice, 'updateContext', { sessionKey, contextType: 'message', content: 'y'.repeat(40_000) });
  await call(alice, 'requestHandoff', { sessionKey, targetAgent: 'bob', requestType: 'context_transfer' });
}

const httpList = async (query: string) => {
  const answer = await fetch(new URL(`/macp/session?${query}`, server.httpUrl), {
    headers: { authorization: 'Bearer alice' },
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};

const given = {
  handoffs: (await call(bob, 'listHandoffs', { limit: 1 })).nextCursor as string,
  mark: (await call(bob, 'waitForHandoff', { timeoutMs: 0 })).resume.since as string,
  context: (await read(alice, 'handoff://context/k0')).nextCursor as string,
  page: (await httpList('page_size=1')).body.next_page_token as string,
};

const places: Record<keyof typeof given, (token: string) => Promise<boolean>> = {
  handoffs: async (cursor) => (await call(bob, 'listHandoffs', { cursor })).success,
  mark: async (since) => (await call(bob, 'waitForHandoff', { timeoutMs: 0, since })).success,
  context: (cursor) =>
    read(alice, `handoff://context/k0?cursor=${cursor}`).then(
      () => true,
      () => false,
    ),
  page: async (token) => (await httpList(`page_token=${token}`)).status === 200,
};

it.each(Object.keys(given) as (keyof typeof given)[])(
  'a token of %s is taken there and nowhere else',
  async (kind) => {
    expect(given[kind]).toMatch(/^[\w-]+$/);
    const taken = await Promise.all(
      Object.entries(places).map(async ([place, takes]) => ((await takes(given[kind])) ? place : '')),
    );
    expect(taken.filter((place) => place !== '')).toEqual([kind]);
  },
);
