/** Who hears of what: the parties, of what they may read; nobody else, of anything. */
import { rmSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, connectHttp, connectStdioAs, ERAS, type Era, newDataFolder } from '../kit/mcp-clients.js';
import { PEOPLE } from '../kit/tokens.js';
import { type McpTestServer, openMcpServer } from './support/mcp-server.js';
import { noteUpdates, settled } from './support/updates.js';

const folder = newDataFolder();
let server: McpTestServer;
beforeAll(async () => {
  server = await openMcpServer({ env: PEOPLE });
});
afterAll(async () => {
  await server.close(AbortSignal.timeout(1_000));
  rmSync(folder, { recursive: true, force: true });
});

/** Subscribes as the era does it; gives what the server agreed to. */
async function follow(client: Client, era: Era, uris: readonly string[]): Promise<readonly string[]> {
  if (era === 'modern') {
    const listening = await client.listen({ resourceSubscriptions: [...uris], resourcesListChanged: true });
    return listening.honoredFilter.resourceSubscriptions ?? [];
  }
  const agreed: string[] = [];
  for (const uri of uris)
    await client.subscribeResource({ uri }).then(
      () => agreed.push(uri),
      () => {},
    );
  return agreed;
}

let serial = 0;
const places = ERAS.flatMap((era) => [
  { era, place: 'HTTP', connect: (name: string) => connectHttp(server.url, `${name}-token`, era) },
  { era, place: 'stdio', connect: (name: string) => connectStdioAs(name, folder, era) },
]);

describe.each(places)('$era over $place', ({ era, connect }) => {
  let alice: Client;
  let bob: Client;
  let carol: Client;
  beforeAll(async () => {
    [alice, bob, carol] = [await connect('alice'), await connect('bob'), await connect('carol')];
  });
  afterAll(() => Promise.all([alice.close(), bob.close(), carol.close()]));

  it('tells the parties, and an outsider nothing', async () => {
    const sessionKey = `watched-${era}-${serial++}`;
    await call(alice, 'registerSession', { sessionKey, agentFrom: 'alice' });
    const context = `handoff://context/${sessionKey}`;
    const summary = `handoff://summary/${sessionKey}`;
    const inbox = 'handoff://agents/bob/inbox';
    const [hers, his, theirs] = [noteUpdates(alice), noteUpdates(bob), noteUpdates(carol)];
    expect(await follow(alice, era, [context, summary])).toEqual([context, summary]);
    expect(await follow(bob, era, [inbox, context])).toEqual([inbox]);
    expect(await follow(carol, era, [context, summary, inbox])).toEqual([]);

    const entry = { sessionKey, contextType: 'message', content: 'hello' };
    await call(alice, 'updateContext', entry);
    await hers.until(context);
    await hers.until(summary);
    const offer = { sessionKey, targetAgent: 'bob', requestType: 'full_handoff' };
    const { handoffId } = await call(alice, 'requestHandoff', offer);
    await his.until(inbox);
    await his.until('list');
    const handoff = `handoff://handoffs/${handoffId}`;
    expect(await follow(alice, era, [handoff])).toEqual([handoff]);
    expect(await follow(carol, era, [handoff])).toEqual([]);
    await call(bob, 'acceptHandoff', { handoffId });
    await hers.until(handoff);
    await call(alice, 'commitHandoff', { handoffId });
    await settled();

    const before = hers.seen.filter((uri) => uri === context).length;
    await call(bob, 'updateContext', entry);
    await settled();
    expect(
      hers.seen.filter((uri) => uri === context),
      'a former owner',
    ).toHaveLength(before);
    expect(his.seen).not.toContain(context);
    expect(theirs.seen).toEqual([]);
  });
});

it('two tenants with equal keys do not hear one another', async () => {
  const sessionKey = 'same-key-in-both';
  const [here, there] = [
    await connectHttp(server.url, 'alice-token'),
    await connectHttp(server.url, 'other-alice-token'),
  ];
  for (const client of [here, there])
    await call(client, 'registerSession', { sessionKey, agentFrom: 'alice' });
  const uri = `handoff://context/${sessionKey}`;
  const [ours, theirs] = [noteUpdates(here), noteUpdates(there)];
  for (const client of [here, there]) expect(await follow(client, 'modern', [uri])).toEqual([uri]);
  await call(here, 'updateContext', { sessionKey, contextType: 'message', content: 'for us' });
  await ours.until(uri);
  await settled();
  expect(theirs.seen).toEqual([]);
  await Promise.all([here.close(), there.close()]);
});

it('unsubscribed is unsubscribed', async () => {
  const client = await connectHttp(server.url, 'alice-token', 'legacy');
  await call(client, 'registerSession', { sessionKey: 'left', agentFrom: 'alice' });
  const uri = 'handoff://context/left';
  const updates = noteUpdates(client);
  await client.subscribeResource({ uri });
  await client.unsubscribeResource({ uri });
  await call(client, 'updateContext', { sessionKey: 'left', contextType: 'message', content: 'x' });
  await settled();
  expect(updates.seen).not.toContain(uri);
  await client.close();
});

it('assistants:8 the inboxes of owner and target are told when work is offered, withdrawn, closed, accepted, left, picked up and taken, and no other', async () => {
  const env = { HANDOVER_OPEN_PARKING: '1', HANDOVER_TAKEOVER: 'silent', HANDOVER_TAKEOVER_AFTER_SECS: '0' };
  const dev = await openMcpServer({ env });
  const names = ['ann', 'ben', 'cat'] as const;
  const shop = { 'handover-project': 'shop' };
  const clients = await Promise.all(names.map((name) => connectHttp(dev.url, name, 'modern', shop)));
  const updates = clients.map((client) => noteUpdates(client));
  for (const [n, client] of clients.entries())
    await follow(client, 'modern', [`handoff://agents/${names[n]}/inbox`]);
  /** Who was told since the last time. */
  const told = async (...expected: string[]) => {
    for (const name of expected)
      await updates[names.indexOf(name as never)]?.until(`handoff://agents/${name}/inbox`);
    await settled();
    const heard = names.filter((_, n) => updates[n]?.seen.some((uri) => uri.includes('/inbox')));
    for (const one of updates) one.seen.length = 0;
    return heard;
  };
  const [ann, ben, cat] = clients as [Client, Client, Client];
  const { sessionKey, handoffId } = await call(ann, 'handOff', { to: 'ben', goal: 'First.' });
  expect(await told('ann', 'ben')).toEqual(['ann', 'ben']);
  await call(ann, 'cancelHandoff', { handoffId });
  expect(await told('ann', 'ben')).toEqual(['ann', 'ben']);
  await call(ann, 'closeSession', { sessionKey });
  expect(await told('ann', 'ben')).toEqual(['ann', 'ben']);
  const second = await call(ann, 'handOff', { to: 'ben', goal: 'Second.' });
  expect(await told('ann', 'ben')).toEqual(['ann', 'ben']);
  await call(ben, 'resume', { handoffId: second.handoffId, accept: true });
  expect(await told('ann', 'ben')).toEqual(['ann', 'ben']);
  // Left for whoever comes, picked up by another, and taken from that one.
  const third = await call(ann, 'handOff', { goal: 'Third.' });
  expect(third).toMatchObject({ phase: 'parked' });
  expect(await told('ann')).toContain('ann');
  const picked = { sessionKey: third.sessionKey, kind: 'parked', yours: true };
  expect(await call(cat, 'resume', { sessionKey: third.sessionKey, accept: true })).toMatchObject(picked);
  expect(await told('ann', 'cat')).toEqual(['ann', 'cat']);
  const taken = { sessionKey: third.sessionKey, yours: true, from: 'cat' };
  expect(await call(ben, 'resume', { sessionKey: third.sessionKey, take: true })).toMatchObject(taken);
  // Ann offered it before, so her lists show whose it is now.
  expect(await told('ben', 'cat')).toEqual(expect.arrayContaining(['ben', 'cat']));
  await Promise.all(clients.map((client) => client.close()));
  await dev.close(AbortSignal.timeout(1_000));
});
