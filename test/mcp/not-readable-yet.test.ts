/** Work of others that a caller was shown by name: what it cannot read yet says whose it is, and what would make it readable. */
import { afterEach, expect, it } from 'vitest';
import { createWindows, SITE, type Windows } from './support/windows.js';

let world: Windows;
afterEach(() => world.engine.close());

const TEN_MINUTES = 600_000;
const KEY = 'rss-feed';

async function opened(env = {}): Promise<Windows['open']> {
  world = createWindows(env);
  const claude = world.open('claude');
  await claude.call('registerSession', { sessionKey: KEY, agentFrom: 'claude' });
  await claude.call('updateContext', { sessionKey: KEY, contextType: 'message', content: 'the secret goal' });
  return world.open;
}

const asks = [
  ['resume', { sessionKey: KEY }],
  ['resume', { sessionKey: KEY, accept: true }],
  ['readContext', { sessionKey: KEY }],
] as const;

it.each(asks)('assistants:1.6 %s %j of what listSessions shows', async (tool, args) => {
  const open = await opened();
  const codex = open('codex');
  const [row] = (await codex.call('listSessions')).sessions;
  expect(row).toMatchObject({ sessionKey: KEY, owner: 'claude' });
  const refused = await codex.call(tool, args);
  expect(refused).toMatchObject({
    errorCode: 'FORBIDDEN',
    details: { sessionKey: KEY, owner: 'claude', silentSince: row.silentSince, possibleAt: row.takeFrom },
  });
  expect(refused.error).toContain(`resume {"sessionKey":"${KEY}","take":true}`);
  expect(refused.error).toContain(row.takeFrom);
  expect(JSON.stringify(refused)).not.toContain('secret');
  world.clock.now += TEN_MINUTES;
  expect(await codex.call('resume', { sessionKey: KEY, take: true })).toMatchObject({ yours: true });
  expect(await codex.call(tool, args)).toMatchObject({ success: true });
});

it('once its time has come, readContext says that it may be taken now', async () => {
  const open = await opened();
  world.clock.now += TEN_MINUTES;
  const codex = open('codex');
  const { error } = await codex.call('readContext', { sessionKey: KEY });
  expect(error).toMatch(/take/);
  expect(error).not.toMatch(/from 20/);
});

it.each(asks)('assistants:2.3 %s %j reveals nothing to those to whom it is not shown', async (tool, args) => {
  const same = async (open: Windows['open'], more: Parameters<Windows['open']>[1]) => {
    const codex = open('codex', more);
    expect((await codex.call('listSessions')).sessions).toEqual([]);
    const told = async (sessionKey: string) => {
      const { requestId: _, timestamp: __, ...rest } = await codex.call(tool, { ...args, sessionKey });
      return JSON.stringify(rest).replaceAll(sessionKey, '');
    };
    expect(await told(KEY)).toBe(await told('rss-none'));
  };
  let open = await opened();
  await same(open, { project: SITE });
  await same(open, { project: SITE, transport: 'http' });
  await world.engine.close();
  open = await opened({ HANDOVER_TAKEOVER: 'person' });
  await same(open, {});
});
