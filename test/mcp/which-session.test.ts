/** Into which session a handoff goes that names none: never into work that its window is not at, and never without a word. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Payload } from '../kit/mcp-clients.js';
import { createWindows, SITE, type Window, type Windows } from './support/windows.js';

let world: Windows | undefined;
const open = (): Windows['open'] => {
  world = createWindows();
  return world.open;
};
afterEach(() => world?.engine.close());

const note = async (window: Window, sessionKey: string, kind: string, content: string) =>
  window.call('updateContext', { sessionKey, contextType: 'message', content, metadata: { note: kind } });
const register = (window: Window, agentFrom: string, sessionKey: string) =>
  window.call('registerSession', { sessionKey, agentFrom });
const warning = ({ warnings = [] }: Payload, code: string) =>
  warnings.find((one: { readonly code: string }) => one.code === code);

/** Two pieces of work of one window; the newer one goes to codex. */
async function givenAway(windows: Windows['open']): Promise<Window> {
  const claude = windows('claude');
  await register(claude, 'claude', 'posts');
  await note(claude, 'posts', 'next', 'Write the cursor test');
  if (world) world.clock.now += 1_000;
  await register(claude, 'claude', 'mail');
  await claude.call('handOff', { sessionKey: 'mail', goal: 'Send the mails in the background' });
  const codex = windows('codex');
  const got = await codex.call('resume', { accept: true });
  expect(got).toMatchObject({ sessionKey: 'mail', yours: true });
  await note(codex, 'mail', 'done', 'The queue is there');
  return claude;
}

describe('assistants:1.2 work that somebody else has now', () => {
  it('is not replaced by an older session: what is said opens one of its own, and the answer says so', async () => {
    const windows = open();
    const claude = await givenAway(windows);
    const handed = await claude.call('handOff', { next: ['Also log the mail id'] });
    expect(handed.sessionKey).not.toBe('posts');
    expect(warning(handed, 'NEW_SESSION')).toMatchObject({ was: 'mail', owner: 'codex' });
    expect(warning(handed, 'NEW_SESSION').message).toContain('"requestType":"context_transfer"');
    const posts = await claude.call('resume', { sessionKey: 'posts' });
    expect(posts.brief.text).toContain('Write the cursor test');
    expect(posts.brief.text).not.toContain('mail id');
    expect((await windows('codex').call('listSessions')).inbox).toMatchObject([
      { sessionKey: handed.sessionKey },
    ]);
    // The next one of the same window is about the same.
    const more = await claude.call('handOff', { next: ['And the address'] });
    expect(more.sessionKey).toBe(handed.sessionKey);
    expect(warning(more, 'NEW_SESSION')).toBeUndefined();
  });

  it('is gone on with when the window goes on with something', async () => {
    const windows = open();
    const claude = await givenAway(windows);
    await note(claude, 'posts', 'done', 'The cursor test');
    expect(await claude.call('handOff', { next: ['Review it'] })).toMatchObject({ sessionKey: 'posts' });
  });
});

describe('assistants:1.4 a window that is at no session', () => {
  it('opens one, and the answer names the open one that may be meant, and how it gets there', async () => {
    const windows = open();
    const claude = windows('claude');
    await register(claude, 'claude', 'posts');
    await note(claude, 'posts', 'goal', 'Pages of posts');
    const next = windows('claude');
    const handed = await next.call('handOff', { to: 'codex', next: ['Write the test'] });
    const said = warning(handed, 'NEW_SESSION');
    expect(said).toMatchObject({ sessionKey: handed.sessionKey, own: 'posts' });
    // As the words say.
    expect(said.message).toMatch(/sessionKey, then cancelHandoff and closeSession/);
    const again = await next.call('handOff', { to: 'codex', next: ['Write the test'], sessionKey: 'posts' });
    expect(warning(again, 'NEW_SESSION')).toBeUndefined();
    const { sessionKey } = handed;
    expect(await next.call('cancelHandoff', { sessionKey })).toMatchObject({ success: true });
    expect(await next.call('closeSession', { sessionKey })).toMatchObject({ success: true });
    const got = await windows('codex').call('resume', { accept: true });
    expect(got.brief.text).toContain('Pages of posts');
    expect(got).toMatchObject({ sessionKey: 'posts', others: [] });
  });

  it('says nothing where there is no other: none, an empty one, an old one, one of another project', async () => {
    const windows = open();
    const first = windows('claude');
    expect(warning(await first.call('handOff', { goal: 'One' }), 'NEW_SESSION')).toBeUndefined();
    const site = windows('claude', { project: SITE });
    expect(warning(await site.call('handOff', { goal: 'Two' }), 'NEW_SESSION')).toBeUndefined();
    if (world) world.clock.now += 8 * 86_400_000;
    await register(windows('claude'), 'claude', 'empty');
    expect(
      warning(await windows('claude').call('handOff', { goal: 'Three' }), 'NEW_SESSION'),
    ).toBeUndefined();
  });
});
