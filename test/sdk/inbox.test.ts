/** The offers that wait for an agent now. */
import { Auth, HandoffSession, MacpClient, openOffers } from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { CountingClient } from './support/counting-client.js';
import { offered } from './support/offers.js';
import { useServer } from './support/server.js';

describe('the inbox', () => {
  const server = useServer();

  it('has what waits for the agent, oldest first, over pages, and reads nothing that has ended', async () => {
    const alice = server.as('alice');
    const waiting = [];
    for (const text of ['first', 'second', 'third']) waiting.push(await offered(alice, [text]));
    const accepted = await offered(alice);
    await accepted.acceptHandoff({ handoffId: 'h1', sender: 'bob' });
    const toCarol = await offered(alice, [], { to: 'dave' });
    const suspended = await offered(alice);
    await suspended.suspend();
    const ended = await Promise.all(Array.from({ length: 30 }, () => offered(alice)));
    for (const session of ended) await session.cancel();
    // As its own owner bob gets no offers.
    const own = new HandoffSession(server.as('bob'));
    await own.start({ intent: 'x', participants: ['carol'], ttlMs: 60_000 });

    const client = new CountingClient({ address: server.address(), auth: Auth.devAgent('bob') });
    const page = client.listSessionsPage.bind(client);
    let pages = 0;
    client.listSessionsPage = (options) => {
      pages++;
      return page({ ...options, pageSize: 4 });
    };
    const offers = await openOffers(client);
    client.close();
    expect(offers.map(({ sessionId }) => sessionId)).toEqual(waiting.map(({ sessionId }) => sessionId));
    expect(offers[0]).toMatchObject({
      handoffId: 'h1',
      owner: 'alice',
      scope: 'pager',
      reason: 'end of shift',
    });
    expect(offers.map(({ contexts }) => contexts[0]?.text())).toEqual(['first', 'second', 'third']);
    const { offeredAtUnixMs = 0, expiresAtUnixMs = 0 } = offers[0] ?? {};
    expect(Math.abs(Date.now() - offeredAtUnixMs)).toBeLessThan(60_000);
    expect(expiresAtUnixMs).toBeGreaterThan(Date.now());
    expect(pages).toBeGreaterThan(8);
    expect(new Set(client.read)).toEqual(new Set([...waiting, accepted].map(({ sessionId }) => sessionId)));
    expect(await openOffers(server.as('alice'), { agent: 'dave' })).toMatchObject([
      { sessionId: toCarol.sessionId, contexts: [] },
    ]);
  });

  it('needs to know whose it is, and can be given up', async () => {
    const nobody = new MacpClient({ address: server.address() });
    await expect(openOffers(nobody)).rejects.toMatchObject({ argument: 'agent' });
    await expect(openOffers(nobody, { agent: ' ' })).rejects.toMatchObject({ argument: 'agent' });
    nobody.close();
    const bearer = server.as('bob', { auth: Auth.bearer('bob', { expectedSender: 'bob' }) });
    await expect(openOffers(bearer, { agent: 'carol' })).rejects.toMatchObject({
      name: 'MacpIdentityMismatchError',
    });
    await expect(openOffers(bearer, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });
});
