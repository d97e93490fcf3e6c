/** Two windows of one assistant: the second is told that the first is at work, and the first what the second did. */
import { afterEach, describe, expect, it } from 'vitest';
import { takeHook } from '../../packages/server/src/services/handoffs/hook-visits.js';
import type { Payload } from '../kit/mcp-clients.js';
import { agent } from '../kit/principals.js';
import { createWindows, SHOP, type Window, type Windows } from './support/windows.js';

let world: Windows;
afterEach(() => world.engine.close());

const GOAL = 'Window one rewrites the parser';
const warning = ({ warnings = [] }: Payload, code: string) =>
  warnings.find((one: { readonly code: string }) => one.code === code);
const write = (window: Window, content: string) =>
  window.call('updateContext', { sessionKey: 'parser', contextType: 'message', content });

/** As the socket does it. */
const connected = (window: Window) =>
  world.directory.windows.joined({ tenant: 'default', agent: 'claude' }, window.connection);

/** The first is connected and at work. */
async function twoWindows() {
  world = createWindows();
  const first = world.open('claude');
  const leave = connected(first);
  await first.call('registerSession', { sessionKey: 'parser', agentFrom: 'claude' });
  const note = { sessionKey: 'parser', contextType: 'message', content: GOAL, metadata: { note: 'goal' } };
  await first.call('updateContext', note);
  world.clock.now += 500;
  const second = world.open('claude');
  connected(second);
  return { first, second, leave };
}

async function started(source: string): Promise<string> {
  const hooks = { handoffs: world.handoffs, directory: world.directory, now: () => world.clock.now };
  const body = { client: 'claude', clientSession: 'new', event: 'SessionStart', source, project: SHOP };
  const told = await takeHook(hooks, agent('claude'), body, { transport: 'stdio' });
  return 'value' in told ? (told.value.text ?? '') : '';
}

describe('assistants:P3 a second window', () => {
  it('is told at its start and by resume that another one is at the work', async () => {
    const { second } = await twoWindows();
    expect(await started('startup')).toContain('Another window of yours is at it: ask the user first.');
    for (const args of [{}, { accept: true }]) {
      const got = await second.call('resume', args);
      expect(got).toMatchObject({ kind: 'own', yours: true });
      expect(warning(got, 'OTHER_WINDOW')).toMatchObject({ instance: '00000001' });
      expect(warning(got, 'OTHER_WINDOW').message).toContain('Ask the user');
    }
  });

  it('is told nothing of one that has closed, or that wrote long ago', async () => {
    const { second, leave } = await twoWindows();
    leave();
    expect(await started('startup')).not.toContain('Another window');
    expect(warning(await second.call('resume', {}), 'OTHER_WINDOW')).toBeUndefined();
    const again = await twoWindows();
    world.clock.now += 600_001;
    expect(await started('startup')).not.toContain('Another window');
    expect(warning(await again.second.call('resume', {}), 'OTHER_WINDOW')).toBeUndefined();
  });

  it('that hands off with another goal learns what it has replaced', async () => {
    const { second } = await twoWindows();
    await second.call('resume', { accept: true });
    const handed = await second.call('handOff', { to: 'codex', goal: 'Draw the logo', next: ['Draw'] });
    expect(warning(handed, 'GOAL_REPLACED')).toMatchObject({ was: GOAL });
    expect(warning(handed, 'GOAL_REPLACED').message).toContain('another window of yours is at');
  });

  it('that offers the work is heard of in the first, once', async () => {
    const { first, second } = await twoWindows();
    const { handoffId } = await second.call('handOff', { sessionKey: 'parser', to: 'codex', next: ['x'] });
    const told = await write(first, 'Half of it is done');
    expect(warning(told, 'OFFERED')).toMatchObject({ to: 'codex', handoffId });
    expect(warning(await write(first, 'More'), 'OFFERED')).toBeUndefined();
  });
});
