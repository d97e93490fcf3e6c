/** assistants 5.1: which working session a capture goes into, and whether it leaves that for others. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../packages/server/src/services/connection.js';
import { worklogRef } from '../../packages/server/src/services/handoffs/worklogs.js';
import { agent } from '../kit/principals.js';
import { capture, createWindows, type Window, type Windows } from '../mcp/support/windows.js';

const DAY = 86_400_000;

let world: Windows;
beforeEach(() => {
  world = createWindows();
});

/** A window of claude that stays connected, and how it closes. */
function window(session?: string): Window & { close(): void } {
  const client: Connection['client'] = { name: 'claude', ...(session !== undefined && { session }) };
  const opened = world.open('claude', { client });
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
    await work(world.open('claude'), 'big-work');
    expect(await capture(world, 'claude', { ...END, clientSession: 'b' })).toMatchObject({
      value: { sessionKey: 'big-work', parked: false },
    });
    const captured = { clientSession: 'b', sessionKey: 'big-work' };
    expect(await capture(world, 'claude', { ...END, ...captured })).toMatchObject({
      value: { sessionKey: 'big-work', parked: true },
    });
    world.clock.now += DAY + 1;
    expect(await capture(world, 'claude', { clientSession: 'c' })).toMatchObject({
      value: { sessionKey: 'shop-claude-c' },
    });
  });
});
