/** resume in a window that is at work: it goes on with that, unless something newer waits, and never loses sight of it. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Payload } from '../kit/mcp-clients.js';
import { agent } from '../kit/principals.js';
import { capture, createWindows, type Window, type Windows } from './support/windows.js';

const MINUTE = 60_000;
let world: Windows;
const windows = (): Windows['open'] => {
  world = createWindows();
  return world.open;
};
afterEach(() => world.engine.close());

const wait = () => {
  world.clock.now += MINUTE;
};
const write = (window: Window, sessionKey: string, content = 'more') =>
  window.call('updateContext', { sessionKey, contextType: 'message', content });
async function work(window: Window, agentFrom: string, sessionKey: string): Promise<void> {
  await window.call('registerSession', { sessionKey, agentFrom });
  await write(window, sessionKey);
  wait();
}
const keysOf = (found: readonly Payload[]) => found.map(({ sessionKey }) => sessionKey);

/** A window of codex that wrote to `first`, and then went on with what claude offered. */
async function twoOwn(open: Windows['open']): Promise<{ readonly codex: Window; readonly second: string }> {
  const codex = open('codex');
  await work(codex, 'codex', 'first');
  const offered = await open('claude').call('handOff', { to: 'codex', goal: 'The feed', next: ['Parse it'] });
  wait();
  const { handoffId, sessionKey: second } = offered;
  expect(await codex.call('resume', { accept: true, handoffId })).toMatchObject({ yours: true });
  wait();
  for (const _ of [1, 2]) await write(codex, second);
  wait();
  return { codex, second };
}

describe('assistants:1.5 a window with several own sessions', () => {
  it.each([{}, { accept: true }])('goes on with the one that it is at: %j', async (args) => {
    const { codex, second } = await twoOwn(windows());
    const shown = await codex.call('resume', args);
    expect(shown).toMatchObject({ kind: 'own', sessionKey: second, yours: true });
    expect(shown.instruction).toMatch(/^It is yours\. Begin/);
    expect(shown.others).toMatchObject([{ kind: 'own', sessionKey: 'first' }]);
    expect(await codex.call('handOff', { next: ['Test it'] })).toMatchObject({ sessionKey: second });
  });

  it('also when another window wrote to the other one since', async () => {
    const open = windows();
    const { codex, second } = await twoOwn(open);
    await write(open('codex'), 'first');
    wait();
    expect(await codex.call('resume')).toMatchObject({
      ...{ kind: 'own', sessionKey: second },
      others: [{ kind: 'own', sessionKey: 'first' }],
    });
    // A new conversation begins with the newest one.
    expect(await open('codex').call('resume')).toMatchObject({ sessionKey: 'first' });
  });

  it('looks at the other one by its key, and still names the one that it is at', async () => {
    const { codex, second } = await twoOwn(windows());
    const shown = await codex.call('resume', { sessionKey: 'first' });
    expect(shown).toMatchObject({ sessionKey: 'first', others: [{ kind: 'own', sessionKey: second }] });
    expect(await codex.call('resume', { sessionKey: 'first', accept: true })).toMatchObject({ yours: true });
    wait();
    expect(await codex.call('resume')).toMatchObject({ sessionKey: 'first' });
  });

  it.each([
    ['an offer', { to: 'codex' }],
    ['what was left for whoever comes next', {}],
  ])('%s that is newer comes first, and an older one is only named', async (_, receiver) => {
    const open = windows();
    const { codex, second } = await twoOwn(open);
    const said = { goal: 'The mails', next: ['Send them'], ...receiver };
    const { sessionKey } = await open('claude').call('handOff', said);
    wait();
    expect(await codex.call('resume')).toMatchObject({
      sessionKey,
      yours: false,
      others: [{ kind: 'own', sessionKey: second }, { sessionKey: 'first' }],
    });
    await write(codex, second);
    wait();
    expect(await codex.call('resume')).toMatchObject({
      ...{ kind: 'own', sessionKey: second },
      others: [{ sessionKey }, { sessionKey: 'first' }],
    });
  });

  it('is named among the others however many are newer', async () => {
    const open = windows();
    const { codex, second } = await twoOwn(open);
    for (const n of [1, 2, 3, 4, 5, 6, 7])
      await open('claude').call('handOff', { to: 'codex', goal: `Goal ${n}`, next: ['Begin'] });
    const { others } = await codex.call('resume');
    expect(others).toHaveLength(5);
    expect(keysOf(others)).toContain(second);
  });

  it('who waits, or takes, does not get another own one', async () => {
    const { codex, second } = await twoOwn(windows());
    for (const args of [{ waitMs: 1 }, { take: true }]) {
      const shown = await codex.call('resume', args);
      expect(shown).toMatchObject({ kind: 'nothing' });
      expect(keysOf(shown.others)).toEqual([second, 'first']);
    }
  });

  it('assistants:R2a a capture into the session of the window hides no offer that came after its last word', async () => {
    const open = windows();
    const { codex, second } = await twoOwn(open);
    const { handoffId } = await open('claude').call('handOff', { to: 'codex', goal: 'New', next: ['n'] });
    wait();
    expect(await capture(world, 'codex', { sessionKey: second })).toMatchObject({
      value: { sessionKey: second, stored: true },
    });
    expect(await codex.call('resume')).toMatchObject({ kind: 'offer', handoffId });
  });

  it('assistants:R2a what a hook opened for the conversation comes after everything, and is named', async () => {
    const open = windows();
    await work(open('codex'), 'codex', 'yesterday');
    const { handoffId } = await open('claude').call('handOff', { to: 'codex', goal: 'New', next: ['n'] });
    wait();
    const codex = open('codex', { client: { name: 'claude', session: 'c1' } });
    wait();
    await capture(world, 'codex', { clientSession: 'c1' });
    const shown = await codex.call('resume');
    expect(shown).toMatchObject({ kind: 'offer', handoffId });
    expect(keysOf(shown.others)).toContain('yesterday');
  });

  it('one that it has offered to somebody comes after the others, until it goes on with it', async () => {
    const open = windows();
    const { codex, second } = await twoOwn(open);
    await codex.call('handOff', { to: 'claude', next: ['Test it'] });
    wait();
    const shown = await codex.call('resume');
    expect(shown).toMatchObject({ sessionKey: 'first', others: [{ kind: 'own', sessionKey: second }] });
    await codex.call('resume', { sessionKey: second, accept: true });
    wait();
    expect(await codex.call('resume')).toMatchObject({ kind: 'own', sessionKey: second });
  });

  it('one that it gave away is not its own any more', async () => {
    const open = windows();
    const { codex, second } = await twoOwn(open);
    await world.handoffs.takeFor(agent('claude'), { sessionKey: second, to: 'claude', now: true });
    wait();
    const shown = await codex.call('resume');
    expect(shown).toMatchObject({ kind: 'own', sessionKey: 'first' });
    expect(keysOf(shown.others)).not.toContain(second);
  });
});
