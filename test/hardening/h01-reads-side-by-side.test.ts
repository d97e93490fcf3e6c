/** However many reads one caller begins at once, a few are under way, and what they hold is bounded. */
import { afterEach, expect, it, vi } from 'vitest';
import { createWindows, type Window, type Windows } from '../mcp/support/windows.js';

let world: Windows;
afterEach(() => world.engine.close());

/** The most reads of the log that were under way together while these calls ran. */
async function mostAtOnce(calls: () => Promise<unknown>[]): Promise<number> {
  const { store } = world;
  let [now, most] = [0, 0];
  const real = store.read.bind(store);
  const spied = vi.spyOn(store, 'read').mockImplementation(async (...args) => {
    most = Math.max(most, ++now);
    // As a disk does it.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      return await real(...args);
    } finally {
      now--;
    }
  });
  await Promise.all(calls());
  spied.mockRestore();
  return most;
}

it.each<[string, (window: Window) => Promise<unknown>]>([
  ['searchContext', (window) => window.call('searchContext', { query: 'needle' })],
  ['readContext', (window) => window.call('readContext', { sessionKey: 'large' })],
  ['resume', (window) => window.call('resume', { sessionKey: 'large' })],
  ['handOff', (window) => window.call('handOff', { sessionKey: 'large', to: 'codex', next: ['x'] })],
])('hardening:H1 %s, thirty times at once', async (_, call) => {
  world = createWindows();
  const claude = world.open('claude');
  await claude.call('registerSession', { sessionKey: 'large', agentFrom: 'claude' });
  for (let n = 0; n < 6; n++)
    await claude.call('updateContext', {
      ...{ sessionKey: 'large', contextType: 'message', content: 'word '.repeat(20_000) },
    });
  const most = await mostAtOnce(() => Array.from({ length: 30 }, () => call(claude)));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
});
