/** Work of another that the caller writes to or reads: it is found again, by its key, too, and nobody is told to take it over. */
import { afterEach, describe, expect, it } from 'vitest';
import { whatIsShown } from '../../packages/server/src/services/handoffs/waiting/what-is-shown.js';
import type { Payload } from '../kit/mcp-clients.js';
import { createWindows, SHOP, SITE, type Window, type Windows } from './support/windows.js';

let world: Windows;
const windows = (): Windows['open'] => {
  world = createWindows();
  return world.open;
};
afterEach(() => world.engine.close());

const GOAL = 'Write the style guide';
const STYLE = { name: 'style.md', content: 'Short lines.' };
const write = (window: Window, content: string, sessionKey = 'co') =>
  window.call('updateContext', { sessionKey, contextType: 'message', content });
const share = (claude: Window, requestType: string) =>
  claude.call('handOff', { sessionKey: 'co', to: 'gemini', requestType, goal: GOAL, attachments: [STYLE] });
const warning = ({ warnings = [] }: Payload, code: string) =>
  warnings.find((one: { readonly code: string }) => one.code === code);

/** claude shares its work with gemini, which accepts. */
async function shared(requestType = 'collaboration') {
  const open = windows();
  const [claude, gemini] = [open('claude'), open('gemini')];
  await claude.call('registerSession', { sessionKey: 'co', agentFrom: 'claude' });
  const { handoffId } = await share(claude, requestType);
  expect((await gemini.call('resume', { accept: true })).success).toBe(true);
  world.clock.now += 60_000;
  return { open, claude, gemini, handoffId };
}

describe('assistants:1.5 work that the caller shares', () => {
  it.each(['the same window', 'a new one'])('is what %s goes on with', async (which) => {
    const { open, claude, gemini, handoffId } = await shared();
    await write(claude, 'Tabs are four wide');
    const window = which === 'a new one' ? open('gemini') : gemini;
    for (const args of [{}, { sessionKey: 'co' }, { accept: true }, { sessionKey: 'co', accept: true }]) {
      const got = await window.call('resume', args);
      expect(got).toMatchObject({ success: true, kind: 'shared', yours: false, owner: 'claude', handoffId });
      expect(got.instruction).toContain('You may write to it, too');
      expect(got.instruction).not.toContain('take');
      expect(got.brief.text).toContain('Tabs are four wide');
      expect(got.attachments).toMatchObject([{ name: 'style.md' }]);
    }
  });

  it('is named beside own work that is newer, and comes after an offer', async () => {
    const { open, gemini } = await shared();
    await gemini.call('registerSession', { sessionKey: 'mine', agentFrom: 'gemini' });
    await write(gemini, 'x', 'mine');
    const got = await open('gemini').call('resume');
    expect(got).toMatchObject({
      kind: 'own',
      sessionKey: 'mine',
      others: [{ kind: 'shared', sessionKey: 'co' }],
    });
    await open('codex').call('handOff', { to: 'gemini', goal: 'Another thing', next: ['Begin'] });
    expect(await open('gemini').call('resume')).toMatchObject({ kind: 'offer', from: 'codex' });
    expect(await gemini.call('resume', { project: SITE.id })).toMatchObject({ kind: 'nothing' });
  });

  it('is in the list as what it may write to', async () => {
    const { gemini, open } = await shared();
    world.clock.now += 700_000;
    const { sessions } = await gemini.call('listSessions');
    expect(sessions).toMatchObject([{ sessionKey: 'co', yours: false, shared: true }]);
    expect(sessions[0].instruction).toContain('updateContext');
    expect((await open('claude').call('listSessions')).sessions[0].shared).toBeUndefined();
  });

  it('is told at the start of a conversation, and nobody is said to have left it', async () => {
    const { gemini } = await shared();
    await write(gemini, 'Read it');
    world.clock.now += 700_000;
    const who = { tenant: 'default', agent: 'gemini', transport: 'stdio' as const, project: SHOP.id };
    const { deps, store, configuration } = world;
    const source = { ...deps, store, taking: configuration.taking };
    const shown = await whatIsShown(source, who);
    expect(shown.shared).toMatchObject([{ sessionKey: 'co', by: 'claude', goal: GOAL }]);
    expect(shown.left).toEqual([]);
    const other = await whatIsShown(source, { ...who, agent: 'codex' });
    expect([other.shared, other.left]).toMatchObject([[], [{ sessionKey: 'co' }]]);
  });

  it('of a silent owner is taken on purpose alone, and the attachment stays listed', async () => {
    const { open, gemini } = await shared();
    world.clock.now += 700_000;
    expect(await gemini.call('resume', { accept: true })).toMatchObject({ kind: 'shared', yours: false });
    expect(await gemini.call('resume', { take: true })).toMatchObject({ kind: 'nothing', yours: false });
    expect(await open('gemini').call('resume', { take: true })).toMatchObject({
      kind: 'shared',
      yours: false,
    });
    const taken = await open('gemini').call('resume', { sessionKey: 'co', take: true });
    expect(taken).toMatchObject({ kind: 'silent', yours: true });
  });

  it("is nobody else's: an outsider is told whose it is", async () => {
    const { open } = await shared();
    expect(await open('codex').call('resume', { sessionKey: 'co' })).toMatchObject({
      errorCode: 'FORBIDDEN',
      error: expect.stringContaining('not yours to read'),
    });
  });
});

describe('assistants:1.5 work that the caller may read', () => {
  it('of a copy is shown again by its key, with what came with it', async () => {
    const { gemini, handoffId } = await shared('context_transfer');
    for (const args of [{ sessionKey: 'co' }, { sessionKey: 'co', accept: true }])
      expect(await gemini.call('resume', args)).toMatchObject({
        ...{ success: true, yours: false, owner: 'claude', handoffId, requestType: 'context_transfer' },
        attachments: [{ name: 'style.md' }],
      });
  });

  it('of a former owner is shown as it was handed over, and says whose it is now', async () => {
    const { claude, gemini, open } = await shared('full_handoff');
    await write(gemini, 'A later word');
    for (const args of [{ sessionKey: 'co' }, { sessionKey: 'co', accept: true }]) {
      const got = await claude.call('resume', args);
      expect(got).toMatchObject({
        success: true,
        yours: false,
        owner: 'gemini',
        attachments: [{ name: 'style.md' }],
      });
      expect(got.instruction).toContain('You had it; the session belongs to gemini now.');
      expect(JSON.stringify(got)).not.toContain('A later word');
    }
    expect(await open('claude').call('resume')).toMatchObject({ kind: 'nothing' });
  });
});

describe('assistants:1.4 handOff by one who shares the work of another', () => {
  it('without a session opens one of its own, and says so', async () => {
    const { gemini, claude } = await shared();
    await write(gemini, 'Read it');
    const handed = await gemini.call('handOff', { goal: 'Draw the logo', next: ['Sketch'] });
    expect(handed).toMatchObject({ success: true });
    expect(handed.sessionKey).not.toBe('co');
    const said = warning(handed, 'NEW_SESSION');
    expect(said).toMatchObject({ was: 'co', owner: 'claude' });
    expect(said.message).toContain('updateContext');
    expect(JSON.stringify(await claude.call('readContext', { sessionKey: 'co' }))).not.toContain('logo');
  });

  it.each([{}, { to: 'claude', requestType: 'context_transfer' }])(
    'with its key is refused with the way out %j',
    async (more) => {
      const { gemini } = await shared();
      const refused = await gemini.call('handOff', { sessionKey: 'co', goal: 'g', ...more });
      expect(refused).toMatchObject({ errorCode: 'FORBIDDEN' });
      expect(refused.error).toContain('updateContext');
      expect(refused.error).toContain('without sessionKey');
    },
  );
});
