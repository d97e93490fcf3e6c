/** assistants 5.1: which working session a capture goes into, and whether it leaves that for others. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../packages/server/src/services/connection.js';
import { worklogRef } from '../../packages/server/src/services/handoffs/worklogs.js';
import { agent } from '../kit/principals.js';
import { capture, createWindows, SITE, type Window, type Windows } from '../mcp/support/windows.js';

const DAY = 86_400_000;

let world: Windows;
beforeEach(() => {
  world = createWindows();
});

/** A window of claude that stays connected, and how it closes. */
function window(session?: string, more: Partial<Connection> = {}): Window & { close(): void } {
  const client: Connection['client'] = { name: 'claude', ...(session !== undefined && { session }) };
  const opened = world.open('claude', { client, ...more });
  const close = world.directory.joined(agent('claude'), opened.connection);
  return { ...opened, close };
}

async function work(at: Window, sessionKey: string): Promise<void> {
  await at.call('registerSession', { sessionKey, agentFrom: 'claude' });
  await at.call('updateContext', { sessionKey, contextType: 'message', content: 'the work' });
}

const stateOf = async (key: string) => (await world.engine.query(worklogRef('default', key)))?.state;
const END = { event: 'SessionEnd', park: true } as const;

describe('a window that ends while another one works', () => {
  it('assistants:5.1 leaves nothing behind when it was small talk', async () => {
    await work(window('a'), 'big-work');
    const other = window('b');
    other.close();
    expect(await capture(world, 'claude', { ...END, clientSession: 'b', isWork: false })).toMatchObject({
      value: { stored: false },
    });
    expect(await stateOf('big-work')).toMatchObject({ lastNumber: 1 });
    expect((await stateOf('big-work'))?.parked).toBeUndefined();
    const codex = world.open('codex');
    expect(await codex.call('resume', { take: true })).toMatchObject({ kind: 'nothing' });
  });

  it('assistants:5.1 leaves its own work, and not that of the other, also after that one has closed', async () => {
    const one = window('a');
    await work(one, 'big-work');
    for (const isOpen of [true, false]) {
      if (!isOpen) one.close();
      const clientSession = isOpen ? 'b' : 'c';
      expect(await capture(world, 'claude', { ...END, clientSession })).toMatchObject({
        value: { sessionKey: `shop-claude-${clientSession}`, parked: true },
      });
    }
    expect((await stateOf('big-work'))?.parked).toBeUndefined();
  });

  it('goes on in its own session when the other has the one that it was captured in before', async () => {
    await work(window('a'), 'big-work');
    const captured = { clientSession: 'b', sessionKey: 'big-work' };
    expect(await capture(world, 'claude', { ...END, ...captured })).toMatchObject({
      value: { sessionKey: 'shop-claude-b' },
    });
  });

  it('is taken for no other where programs do not name their conversations', async () => {
    await work(window(), 'big-work');
    window();
    expect(await capture(world, 'claude', { clientSession: 'b' })).toMatchObject({
      value: { sessionKey: 'shop-claude-b' },
    });
  });
});

describe('a capture by hand', () => {
  const BY_HAND = { event: 'manual', park: true, clientSession: 'by-hand' } as const;

  it('assistants:5.4 leaves what was picked up and not written to, after its window has died', async () => {
    await work(window('a'), 'big-work');
    await world.open('claude').call('handOff', { sessionKey: 'big-work', to: 'codex', goal: 'Goal p3' });
    const codex = world.open('codex');
    const close = world.directory.joined(agent('codex'), codex.connection);
    await codex.call('resume', { accept: true });
    close();
    world.clock.now += 60_000;
    expect(await capture(world, 'codex', { ...BY_HAND, event: 'SessionEnd' })).toMatchObject({
      value: { sessionKey: 'big-work', parked: false },
    });
    expect(await capture(world, 'codex', { ...BY_HAND, content: 'again' })).toMatchObject({
      value: { sessionKey: 'big-work', parked: true },
    });
    expect(await world.open('claude').call('resume')).toMatchObject({
      kind: 'parked',
      sessionKey: 'big-work',
    });
  });

  it('assistants:5.4 says why it does not leave what its owner has given away', async () => {
    const one = window('a');
    await work(one, 'big-work');
    await one.call('handOff', { sessionKey: 'big-work', to: 'codex', goal: 'g' });
    expect(await capture(world, 'claude', { ...BY_HAND, clientSession: 'a' })).toMatchObject({
      value: { parked: false, because: 'it is offered to codex' },
    });
  });
});

describe('a window that ends', () => {
  it('leaves the session that it wrote to, also beside others and after small talk', async () => {
    const one = window('a');
    await work(one, 'big-work');
    await work(window('b'), 'other-work');
    one.close();
    expect(await capture(world, 'claude', { ...END, clientSession: 'a', isWork: false })).toMatchObject({
      value: { sessionKey: 'big-work', parked: true },
    });
    expect((await stateOf('other-work'))?.parked).toBeUndefined();
  });

  it('is captured in the only session there is, and leaves it once it was captured there before', async () => {
    // Over HTTP nothing says that a window has closed.
    const one = world.open('claude', { transport: 'http' });
    const other = world.open('claude', { transport: 'http' });
    for (const { connection } of [one, other]) world.directory.called(agent('claude'), connection);
    await work(one, 'big-work');
    const first = { ...END, clientSession: 'b', transport: 'http' } as const;
    expect(await capture(world, 'claude', first)).toMatchObject({
      value: { sessionKey: 'big-work', parked: false },
    });
    expect(await capture(world, 'claude', { ...first, sessionKey: 'big-work' })).toMatchObject({
      value: { sessionKey: 'big-work', parked: true },
    });
    world.clock.now += DAY + 1;
    expect(await capture(world, 'claude', { clientSession: 'c' })).toMatchObject({
      value: { sessionKey: 'shop-claude-c' },
    });
  });
});

describe('the end of a conversation right after its last turn', () => {
  const turn = { clientSession: 'a', content: 'as it stands', git: 'main' } as const;

  it('leaves the work without saying the same a second time, however often it is told', async () => {
    expect(await capture(world, 'claude', turn)).toMatchObject({ value: { sequenceNumber: 1 } });
    for (const _ of ['told', 'again'])
      expect(await capture(world, 'claude', { ...turn, ...END })).toMatchObject({
        value: { stored: true, sessionKey: 'shop-claude-a', sequenceNumber: 1, parked: true },
      });
    expect(await stateOf('shop-claude-a')).toMatchObject({ lastNumber: 1, parked: { by: 'hook' } });
  });

  it('says nothing a second time where it may not leave the work, either', async () => {
    await capture(world, 'claude', turn);
    expect(await capture(world, 'claude', { ...turn, ...END, park: false })).toMatchObject({
      value: { stored: true, sequenceNumber: 1, parked: false },
    });
  });

  it('says what is new: other words, another state of git, the end of another conversation', async () => {
    await capture(world, 'claude', turn);
    const further = { ...turn, ...END, content: 'further' };
    for (const [n, end] of [further, { ...further, git: 'release' }].entries())
      expect(await capture(world, 'claude', end)).toMatchObject({ value: { sequenceNumber: n + 2 } });
    const another = { ...further, git: 'release', clientSession: 'b', sessionKey: 'shop-claude-a' };
    expect(await capture(world, 'claude', another)).toMatchObject({
      value: { sessionKey: 'shop-claude-a', sequenceNumber: 4 },
    });
    // By hand one asks for it.
    expect(await capture(world, 'claude', { ...another, event: 'manual' })).toMatchObject({
      value: { sequenceNumber: 5 },
    });
  });
});

describe('assistants:5.1 a window that went on with the work of another', () => {
  it.each([
    ['that has closed leaves it', true],
    ['that goes on with it does not', false],
  ])('%s', async (_, isClosed) => {
    const one = window('a');
    await work(one, 'big-work');
    if (isClosed) one.close();
    world.clock.now += 60_000;
    const other = window('b');
    expect(await other.call('resume', { sessionKey: 'big-work', accept: true })).toMatchObject({
      yours: true,
    });
    const sessionKey = isClosed ? 'big-work' : 'shop-claude-b';
    expect(await capture(world, 'claude', { ...END, clientSession: 'b' })).toMatchObject({
      value: { sessionKey, parked: true },
    });
  });
});

describe('assistants:5.1 where programs do not name their conversations', () => {
  const LIMIT = { event: 'StopFailure', park: true, clientSession: 'a' } as const;
  const left = (sessionKey: string) => ({ value: { sessionKey, parked: true } });
  const MINUTE = 60_000;

  it.each([
    ['is connected', false],
    ['was killed', true],
  ])('the end of a conversation leaves what its window wrote to, while that %s', async (_, isClosed) => {
    const one = window();
    await work(one, 'big-work');
    if (isClosed) one.close();
    expect(await capture(world, 'claude', LIMIT)).toMatchObject(left('big-work'));
    const codex = world.open('codex');
    expect(await codex.call('resume', { accept: true })).toMatchObject({
      kind: 'parked',
      sessionKey: 'big-work',
    });
  });

  it('neither windows of other projects nor those that closed before are taken for it', async () => {
    window(undefined, { project: SITE });
    const before = window();
    await work(before, 'old-work');
    before.close();
    world.clock.now += 2 * MINUTE;
    const one = window();
    await work(one, 'big-work');
    expect(await capture(world, 'claude', LIMIT)).toMatchObject(left('big-work'));
    expect((await stateOf('old-work'))?.parked).toBeUndefined();
  });

  it('a window that closes leaves its own work, and not that of the one that goes on', async () => {
    await work(window(), 'big-work');
    world.clock.now += 2 * MINUTE;
    const other = window();
    other.close();
    world.clock.now += 3_000;
    expect(await capture(world, 'claude', { ...END, clientSession: 'b' })).toMatchObject(
      left('shop-claude-b'),
    );
    expect(await stateOf('big-work')).toMatchObject({ lastNumber: 1 });
    expect((await stateOf('big-work'))?.parked).toBeUndefined();
  });

  it('leaves what the window went on with, also before it wrote to it', async () => {
    const yesterday = window();
    await work(yesterday, 'big-work');
    yesterday.close();
    world.clock.now += 3_600_000;
    const today = window();
    await work(window(undefined, { project: SITE }), 'site-work');
    expect(await today.call('resume', { accept: true })).toMatchObject({
      sessionKey: 'big-work',
      yours: true,
    });
    expect(await capture(world, 'claude', { ...LIMIT, isWork: false })).toMatchObject(left('big-work'));
  });

  it('leaves the only session there is when the window that wrote to it is gone', async () => {
    const before = window();
    await work(before, 'big-work');
    before.close();
    world.clock.now += 2 * MINUTE;
    window();
    expect(await capture(world, 'claude', LIMIT)).toMatchObject(left('big-work'));
  });

  it('leaves what the model opened after the first capture', async () => {
    const one = window();
    expect(await capture(world, 'claude', { clientSession: 'a' })).toMatchObject({
      value: { sessionKey: 'shop-claude-a' },
    });
    await work(one, 'big-work');
    const before = { sessionKey: 'shop-claude-a' };
    expect(await capture(world, 'claude', { ...LIMIT, ...before })).toMatchObject(left('big-work'));
  });

  it('a session of this project comes before one that belongs to none', async () => {
    await work(world.open('claude', { project: undefined as never }), 'by-curl');
    world.clock.now += 2 * MINUTE;
    const { close } = window();
    await work(world.open('claude'), 'big-work');
    close();
    expect(await capture(world, 'claude', LIMIT)).toMatchObject(left('big-work'));
    expect(await stateOf('by-curl')).toMatchObject({ lastNumber: 1 });
  });
});

describe('assistants:5.1 a conversation whose work is over for it', () => {
  const before = { clientSession: 'a', sessionKey: 'big-work' } as const;
  async function taken() {
    const one = window('a');
    await work(one, 'big-work');
    expect(await capture(world, 'claude', { ...END, ...before })).toMatchObject({ value: { parked: true } });
    const codex = world.open('codex');
    expect(await codex.call('resume', { take: true })).toMatchObject({ yours: true });
    await work(world.open('claude', { transport: 'http' }), 'other-work');
    return codex;
  }

  it('is not captured when nothing was done since, neither anew nor in what else is there', async () => {
    const codex = await taken();
    expect(await capture(world, 'claude', { ...END, ...before, isMoreWork: false })).toMatchObject({
      value: { stored: false, because: expect.stringContaining('somebody else has it') },
    });
    expect(await stateOf('shop-claude-a')).toBeUndefined();
    expect(await stateOf('other-work')).toMatchObject({ lastNumber: 1 });
    expect(await world.open('codex').call('resume')).toMatchObject({ kind: 'own', sessionKey: 'big-work' });
    await codex.call('closeSession', { sessionKey: 'big-work' });
  });

  it('is captured and left anew when something was', async () => {
    await taken();
    expect(await capture(world, 'claude', { ...END, ...before, isMoreWork: true })).toMatchObject({
      value: { sessionKey: 'shop-claude-a', parked: true },
    });
  });

  it('is not captured anew when it closed its work itself', async () => {
    const one = window('a');
    expect(await capture(world, 'claude', { clientSession: 'a' })).toMatchObject({ value: { stored: true } });
    await one.call('closeSession', { sessionKey: 'shop-claude-a' });
    const end = { ...END, clientSession: 'a', sessionKey: 'shop-claude-a', isMoreWork: false } as const;
    expect(await capture(world, 'claude', end)).toMatchObject({ value: { stored: false } });
  });
});
