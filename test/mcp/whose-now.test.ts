/** `resume` of a handoff whose work has gone on says whose it is. */
import { afterEach, expect, it } from 'vitest';
import { createWindows, type Windows } from './support/windows.js';

let world: Windows | undefined;
afterEach(() => world?.engine.close());

it('assistants:1.5 work that the caller had and passed on belongs to another now', async () => {
  world = createWindows();
  const [ann, bob, carol] = [world.open('ann'), world.open('bob'), world.open('carol')];
  const said = { goal: 'Finish the import before 06:00', next: ['Create the index on the replica'] };
  const { handoffId } = await ann.call('handOff', { ...said, to: 'bob' });
  await bob.call('resume', { handoffId, accept: true });
  await bob.call('handOff', { ...said, to: 'carol' });
  await carol.call('resume', { accept: true });
  const again = await bob.call('resume', { handoffId, accept: true });
  expect(again).toMatchObject({ success: true, yours: false, owner: 'carol' });
  expect(again.instruction).toContain('You had it; the session belongs to carol now.');
  expect(again.instruction).not.toContain('to read');
});
