/** A few seeds of `npm run sim`: several nodes on one database, with faults, and every answer judged. */
import { expect, it } from 'vitest';
import { simulate } from './simulate.js';

const SEEDS = 40;

it('no seed finds an answer that the log does not bear out', { timeout: 240_000 }, async () => {
  const happened: Record<string, number> = {};
  for (let seed = 1; seed <= SEEDS; seed++) {
    const outcome = await simulate(seed);
    expect({ seed, violations: outcome.violations }).toEqual({ seed, violations: [] });
    for (const [what, count] of Object.entries(outcome.happened))
      happened[what] = (happened[what] ?? 0) + count;
  }
  // A run to which nothing happened proves nothing.
  for (const what of ['crash', 'stall', 'cut', 'restart', 'jump', 'UNKNOWN_OUTCOME', 'NOT_STORED'])
    expect(happened[what], what).toBeGreaterThan(0);
});

it('the same seed gives the same log', async () => {
  const [first, second] = [await simulate(7), await simulate(7)];
  expect(second.trace).toBe(first.trace);
  expect(second.events).toBe(first.events);
});
