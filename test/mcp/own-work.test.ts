/** resume of the caller's own work: its words are true, and the call that they name goes on with it. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Payload } from '../kit/mcp-clients.js';
import { agent } from '../kit/principals.js';
import { capture, createWindows, SHOP, type Window, type Windows } from './support/windows.js';

let world: Windows;
const windows = (): Windows['open'] => {
  world = createWindows();
  return world.open;
};
afterEach(() => world.engine.close());

const note = async (window: Window, sessionKey: string, kind: string, content: string) =>
  window.call('updateContext', { sessionKey, contextType: 'message', content, metadata: { note: kind } });
const warning = ({ warnings = [] }: Payload, code: string) =>
  warnings.find((one: { readonly code: string }) => one.code === code);
const BEGIN = /^It is yours\. Begin with the next step/;

/** The arguments of the one call that a text names, as they stand there. */
const callIn = (text: string): object => JSON.parse(/resume (\{.*?\})/.exec(text)?.[1] ?? 'null');

/** A window that has ended, and what it wrote. */
async function posts(open: Windows['open'], who = 'claude'): Promise<void> {
  const before = open(who);
  await before.call('registerSession', { sessionKey: 'posts', agentFrom: who });
  await note(before, 'posts', 'goal', 'Pages of posts');
  world.clock.now += 60_000;
}

describe('assistants:1.5 own work that is only shown', () => {
  it('is not begun: the answer names the call that goes on, and with it a handoff goes there', async () => {
    const open = windows();
    await posts(open);
    const claude = open('claude');
    const shown = await claude.call('resume');
    expect(shown).toMatchObject({ kind: 'own', yours: true });
    expect(shown.instruction).not.toContain('Begin');
    expect(shown.instruction).toContain('nothing is claimed');
    const call = callIn(shown.instruction);
    expect(call).toEqual({ sessionKey: 'posts', accept: true });
    expect((await claude.call('resume', call)).instruction).toMatch(BEGIN);
    const handed = await claude.call('handOff', { to: 'codex', next: ['Write the test'] });
    expect(handed.sessionKey).toBe('posts');
    expect((await open('codex').call('resume', { accept: true })).brief.text).toContain('Pages of posts');
  });

  it('of a window that is at it is begun', async () => {
    const open = windows();
    await posts(open);
    const claude = open('claude');
    await claude.call('resume', { accept: true });
    expect((await claude.call('resume')).instruction).toMatch(BEGIN);
  });

  it('a key that cannot be shown stands in no call', async () => {
    const open = windows();
    const sessionKey = 'a\u202eb';
    const before = open('claude');
    await before.call('registerSession', { sessionKey, agentFrom: 'claude' });
    await note(before, sessionKey, 'goal', 'x');
    const { instruction } = await open('claude').call('resume');
    expect(instruction).toContain('resume with its sessionKey and accept: true');
  });

  it('that the end of a conversation left says that it is still left, until it is gone on with', async () => {
    const open = windows();
    const left = await capture(world, 'claude', { event: 'SessionEnd', park: true });
    const { sessionKey } = (left as { value: { sessionKey: string } }).value;
    world.clock.now += 60_000;
    const claude = open('claude');
    const shown = await claude.call('resume', { sessionKey });
    expect(shown.instruction).toMatch(/left for whoever resumes next/);
    expect((await open('codex').call('listSessions')).inbox).toMatchObject([{ sessionKey }]);
    const got = await claude.call('resume', callIn(shown.instruction));
    expect(got.instruction).toMatch(BEGIN);
    // Nobody left it on purpose, so nothing is taken back.
    expect(warning(got, 'NO_LONGER_LEFT')).toBeUndefined();
    expect((await open('codex').call('listSessions')).inbox).toEqual([]);
  });

  it('assistants:V1 the line at the start of a conversation names the call that goes on', async () => {
    const open = windows();
    await posts(open);
    const start = { client: 'claude', clientSession: 'next', event: 'SessionStart', project: SHOP };
    const told = await world.handoffs.hookText(agent('claude'), start, { transport: 'stdio' });
    const claude = open('claude');
    const got = await claude.call('resume', callIn(told?.text ?? ''));
    expect(got.instruction).toMatch(BEGIN);
    expect(await claude.call('handOff', { next: ['Write the test'] })).toMatchObject({ sessionKey: 'posts' });
  });
});

describe('assistants:1.5 own work that somebody else may get', () => {
  it('left for anyone: going on with it takes it back, and says so once', async () => {
    const open = windows();
    const { sessionKey } = await open('claude').call('handOff', { goal: 'One', next: ['Two'] });
    world.clock.now += 60_000;
    const claude = open('claude');
    expect(warning(await claude.call('resume', { sessionKey }), 'NO_LONGER_LEFT')).toBeUndefined();
    const got = await claude.call('resume', { sessionKey, accept: true });
    expect(warning(got, 'NO_LONGER_LEFT').message).toContain('handOff');
    expect(await open('codex').call('resume')).toMatchObject({ kind: 'nothing' });
    const again = await claude.call('resume', { sessionKey, accept: true });
    expect(warning(again, 'NO_LONGER_LEFT')).toBeUndefined();
  });

  it('offered: it is said before and with accept, with the id by which it is kept', async () => {
    const open = windows();
    await posts(open, 'codex');
    const { handoffId } = await open('codex').call('handOff', { sessionKey: 'posts', to: 'claude' });
    world.clock.now += 60_000;
    const codex = open('codex');
    for (const accept of [false, true]) {
      const shown = await codex.call('resume', { accept });
      expect(warning(shown, 'OFFERED')).toMatchObject({ to: 'claude', handoffId });
      expect(shown.instruction).not.toMatch(BEGIN);
    }
    expect((await codex.call('resume')).instruction).toMatch(/^It is yours until claude accepts/);
    await codex.call('cancelHandoff', { handoffId });
    expect(warning(await codex.call('resume', { accept: true }), 'OFFERED')).toBeUndefined();
  });

  it('offered for the owner to commit, and accepted: it says what the commit does', async () => {
    const open = windows();
    await posts(open, 'codex');
    const codex = open('codex');
    const { handoffId } = await codex.call('handOff', {
      sessionKey: 'posts',
      to: 'claude',
      autoCommit: false,
    });
    await open('claude').call('resume', { handoffId, accept: true });
    const { message } = warning(await codex.call('resume', { sessionKey: 'posts' }), 'OFFERED');
    expect(message).toMatch(/claude accepted it.*commitHandoff/);
  });
});
