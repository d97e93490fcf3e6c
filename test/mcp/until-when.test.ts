/** An offer has one time until which its target can have the work, whoever asks and however it ends. */
import { afterEach, expect, it } from 'vitest';
import { createWindows, type Windows } from './support/windows.js';

let world: Windows;
afterEach(() => world.engine.close());

const DAY = 86_400_000;
const said = { goal: 'Parse the feed', next: ['Write the test'], to: 'codex' };

it.each([
  ['decline', {}],
  ['cancel', {}],
  ['accept', {}],
  ['expire', {}],
  ['replace', {}],
  ['decline', { expiresIn: 3 * 86_400 }],
  ['cancel', { autoCommit: false }],
])('%s of an offer with %j', async (how, more) => {
  world = createWindows();
  const [claude, codex] = [world.open('claude'), world.open('codex')];
  const { handoffId, expiresAt, sessionKey } = await claude.call('handOff', { ...said, ...more });
  const timeIn = (value: object) => JSON.stringify(value).match(/"expiresAt":"([^"]*)"/)?.[1];
  const both = async () => {
    for (const window of [claude, codex])
      expect(timeIn(await window.call('getHandoff', { handoffId }))).toBe(expiresAt);
  };
  await both();
  world.clock.now += 1_000;
  if (how === 'decline') expect(timeIn(await codex.call('declineHandoff', { handoffId }))).toBe(expiresAt);
  if (how === 'cancel') expect(timeIn(await claude.call('cancelHandoff', { handoffId }))).toBe(expiresAt);
  if (how === 'accept') await codex.call('resume', { handoffId, accept: true });
  if (how === 'replace') await claude.call('handOff', { ...said, sessionKey, expiresIn: 3_600 });
  if (how === 'expire') {
    world.clock.now += 2 * DAY;
    await both();
    world.clock.now += 8 * DAY;
  }
  await both();
});

it('requestHandoff says the same, and what was withdrawn after it had run out is not still left', async () => {
  world = createWindows();
  const [claude, codex] = [world.open('claude'), world.open('codex')];
  await claude.call('registerSession', { sessionKey: 'w', agentFrom: 'claude' });
  await claude.call('updateContext', { sessionKey: 'w', contextType: 'message', content: 'x' });
  const asked = { sessionKey: 'w', targetAgent: 'codex', requestType: 'full_handoff', expiresIn: 604_800 };
  const { handoffId } = await claude.call('requestHandoff', asked);
  const until = (await codex.call('getHandoff', { handoffId })).handoff.expiresAt;
  expect(until).toBe(new Date(world.clock.now + 7 * DAY).toISOString());
  world.clock.now += 2 * DAY;
  await claude.call('cancelHandoff', { handoffId });
  expect((await codex.call('getHandoff', { handoffId })).handoff.expiresAt).toBe(until);
  expect((await claude.call('whoAmI')).waiting).toMatchObject({ expired: 1 });
  expect(await codex.call('resume')).toMatchObject({ kind: 'nothing' });
  world.clock.now += 1_000;
  expect((await claude.call('resume', { sessionKey: 'w' })).warnings).toMatchObject([
    { code: 'OFFER_EXPIRED' },
  ]);
});
