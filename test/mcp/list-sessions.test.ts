/** listSessions: the newest first, of one project, within its tokens. The tool on the services, without a door before it. */
import { expect, it } from 'vitest';
import type { HandoffToolDependencies } from '../../packages/server/src/doors/mcp/tools/dependencies.js';
import { listSessions } from '../../packages/server/src/doors/mcp/tools/list-sessions.js';
import type { Connection } from '../../packages/server/src/services/connection.js';
import { plainConnection } from '../kit/connections.js';
import type { Payload } from '../kit/mcp-clients.js';
import { alice, bob } from '../kit/principals.js';
import { createWorld, handoffsOf } from '../kit/world.js';
import { tokensOf } from './support/tool-names.js';
import { capture, createWindows, SITE } from './support/windows.js';

function open() {
  const clock = { now: 1_800_000_000_000 };
  const world = createWorld({ clock });
  const handoffs = handoffsOf(world);
  const tool = listSessions({ handoffs } as unknown as HandoffToolDependencies);
  const list = async (args: object = {}, connection: Connection = plainConnection, principal = alice) => {
    const signal = new AbortController().signal;
    const outcome = await tool.run(args, { principal, connection, signal, progress: () => {} });
    if ('rejection' in outcome) throw new Error(outcome.rejection.message);
    expect(tokensOf({ success: true, ...outcome.value })).toBeLessThanOrEqual(4_000);
    return outcome.value as unknown as Payload;
  };
  const register = async (sessionKey: string, connection: Connection = plainConnection) => {
    clock.now += 1_000;
    await handoffs.registerSession(alice, { sessionKey, agentFrom: 'alice' }, connection);
  };
  const write = async (sessionKey: string, content: string, metadata = {}) => {
    clock.now += 1_000;
    await handoffs.updateContext(alice, { sessionKey, contextType: 'message', content, metadata });
  };
  return { world, handoffs, list, register, write };
}
type Row = { readonly sessionKey: string };
const keysOf = ({ sessions }: Payload): readonly string[] =>
  sessions.map(({ sessionKey }: Row) => sessionKey);

it('assistants:L1 the newest activity comes first, over 300 sessions and all pages', async () => {
  const { world, list, register, write } = open();
  const keys = Array.from({ length: 300 }, (_, n) => `session-${(n * 7) % 300}`);
  for (const key of keys) await register(key);
  await write('session-0', 'once more', { note: 'goal' });
  const seen: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const page: Payload = await list({ limit: 40, ...(cursor !== undefined && { cursor }) });
    seen.push(...keysOf(page));
    expect(page.inbox !== undefined).toBe(first);
    cursor = page.nextCursor;
    pages++;
  }
  expect(seen).toEqual(['session-0', ...keys.slice(1).reverse()]);
  expect(pages).toBeGreaterThanOrEqual(8);
  expect((await list({ limit: 1 })).sessions[0]).toMatchObject({
    title: 'once more',
    owner: 'alice',
    yours: true,
    status: 'active',
    lastSequence: 1,
  });
  await expect(list({ cursor: 'x' })).rejects.toThrow('cursor');
  await world.engine.close();
});

it('assistants:P2 those of this project and those of none; * is all', async () => {
  const { world, list, register } = open();
  const inProject = (id: string, name: string): Connection => ({ ...plainConnection, project: { id, name } });
  const [shop, blog] = [inProject('git:1', 'shop'), inProject('git:2', 'blog')];
  await register('in shop', shop);
  await register('in blog', blog);
  await register('anywhere');
  expect(keysOf(await list({}, shop))).toEqual(['anywhere', 'in shop']);
  expect(keysOf(await list({ project: 'blog' }, shop))).toEqual(['anywhere', 'in blog']);
  expect(keysOf(await list({ project: '*' }, shop))).toHaveLength(3);
  expect(keysOf(await list())).toHaveLength(3);
  expect(await list({ status: 'completed' }, shop)).toMatchObject({ sessions: [] });
  expect((await list({}, shop)).sessions[1].project).toEqual({ id: 'git:1', name: 'shop' });
  expect(keysOf(await list({}, shop, bob))).toEqual([]);
  await world.engine.close();
});

it('assistants:G1 long keys, goals and reasons stay within the cap, and no session is left out', async () => {
  const { world, handoffs, list, register, write } = open();
  const keys = Array.from({ length: 45 }, (_, n) => `${'語'.repeat(250)}-${n}`);
  for (const key of keys) {
    await register(key);
    await write(key, `"${'\\'.repeat(3_000)}`, { note: 'goal' });
    const offer = { sessionKey: key, targetAgent: 'bob', requestType: 'context_transfer' as const };
    await handoffs.requestHandoff(alice, {
      ...offer,
      requestData: { reason: 'ß'.repeat(4_000) },
      autoCommit: false,
    });
  }
  const seen: string[] = [];
  let next: string | undefined;
  do {
    const page: Payload = await list({ limit: 100, ...(next !== undefined && { cursor: next }) });
    seen.push(...keysOf(page));
    for (const { title, titleLength } of page.sessions)
      expect([[...title].length, titleLength]).toEqual([80, 3_001]);
    if (next === undefined) expect(page.next).toMatchObject({ tool: 'listHandoffs' });
    next = page.nextCursor;
  } while (next !== undefined);
  expect(new Set(seen)).toEqual(new Set(keys));
  expect(seen).toHaveLength(keys.length);
  const inbox = await list({}, plainConnection, bob);
  expect(inbox.inbox.length).toBeGreaterThan(0);
  await world.engine.close();
});

it('assistants:1.6 assistants:2.2 what was left for anyone stands in the inbox, in its project, for those who may have it', async () => {
  const world = createWindows();
  const claude = world.open('claude');
  const said = { goal: 'Finish the import', next: ['Create the index'] };
  const { sessionKey: parked } = await claude.call('handOff', said);
  world.clock.now += 60_000;
  const ended = await capture(world, 'gemini', { event: 'SessionEnd', park: true });
  const { sessionKey: left } = (ended as { value: { sessionKey: string } }).value;
  await world.open('claude').call('handOff', { ...said, to: 'codex' });
  const codex = world.open('codex');
  const rows = (await codex.call('listSessions')).inbox as readonly Payload[];
  expect(rows.map(({ phase, sessionKey, from }) => [phase, from, sessionKey])).toEqual([
    ['offered', 'claude', expect.any(String)],
    ['parked', 'gemini', left],
    ['parked', 'claude', parked],
  ]);
  expect(rows[1]?.instruction).toContain('take: true');
  expect(rows[2]).toMatchObject({ to: '*', instruction: expect.stringContaining('accept: true') });
  expect((await codex.call('whoAmI')).waiting).toMatchObject({ offers: 1, acceptances: 0, left: 2 });
  for (const other of [world.open('codex', { project: SITE }), world.open('codex', { transport: 'http' })]) {
    const { inbox } = await other.call('listSessions');
    expect(inbox.filter(({ phase }: Payload) => phase === 'parked')).toEqual([]);
    expect((await other.call('whoAmI')).waiting).toMatchObject({ left: 0 });
  }
  await codex.call('resume', { sessionKey: parked, accept: true });
  expect((await codex.call('whoAmI')).waiting).toMatchObject({ left: 1 });
});

it('assistants:1.6 assistants:2.3 the work of another that may be taken, now or later, and from when on', async () => {
  const world = createWindows();
  const claude = world.open('claude');
  await claude.call('registerSession', { sessionKey: 'p2', agentFrom: 'claude' });
  const goal = { contextType: 'message', content: 'The import.', metadata: { note: 'goal' } };
  await claude.call('updateContext', { ...goal, sessionKey: 'p2' });
  const written = world.clock.now;
  const takeFrom = new Date(written + 600_000).toISOString();
  const codex = world.open('codex');
  const soon = `claude has p2: if it stays silent, take: true takes that over from ${takeFrom} on, or now, if the user says so: handover take p2 --to codex --now.`;
  const elsewhere = await world.open('codex', { transport: 'http' }).call('resume');
  expect(elsewhere.instruction).not.toContain('handover take');
  const nothing = await codex.call('resume', { accept: true });
  expect(nothing).toMatchObject({ kind: 'nothing' });
  expect(nothing.instruction).toContain(soon);
  expect((await codex.call('resume')).instruction).toContain(soon);
  const row = { sessionKey: 'p2', owner: 'claude', yours: false, takeFrom };
  const silentSince = new Date(written).toISOString();
  const before = await codex.call('listSessions');
  expect(before.sessions).toMatchObject([{ ...row, silentSince, instruction: expect.any(String) }]);
  // Until then nobody but its owner learns what it is about.
  expect(before.sessions[0]).not.toHaveProperty('title');
  expect(before.sessions[0]).not.toHaveProperty('lastSequence');
  world.clock.now += 600_000;
  const after = await codex.call('listSessions');
  expect(after.sessions).toMatchObject([{ ...row, title: 'The import.', lastSequence: 1 }]);
  expect(await codex.call('listSessions', { status: 'completed' })).toMatchObject({ sessions: [] });
  expect(await world.open('codex', { project: SITE }).call('listSessions')).toMatchObject({ sessions: [] });
  expect((await claude.call('listSessions')).sessions[0]).not.toHaveProperty('takeFrom');
});

it('assistants:2.3 where agents take nothing over, nothing of others is listed or announced', async () => {
  const world = createWindows({ HANDOVER_TAKEOVER: 'person' });
  const claude = world.open('claude');
  await claude.call('registerSession', { sessionKey: 'p2', agentFrom: 'claude' });
  await claude.call('updateContext', { sessionKey: 'p2', contextType: 'message', content: 'x' });
  const codex = world.open('codex');
  expect(await codex.call('listSessions')).toMatchObject({ sessions: [] });
  expect((await codex.call('resume', { accept: true })).instruction).not.toContain('p2');
});
