import { describe, expect, it } from 'vitest';
import { killLoop } from './kill-loop.js';

describe('kill -9 under load', () => {
  it('loses nothing that was acknowledged, in 25 kills', { timeout: 300_000 }, async () => {
    const result = await killLoop({ kills: 25, clients: 16, maxLifeMs: 300 });
    expect(result.violations).toEqual([]);
    expect(result.kills).toBe(25);
    // Otherwise the run showed nothing.
    expect(result.accepted).toBeGreaterThan(200);
    expect(result.unknowns).toBeGreaterThan(0);
    expect(result.duplicates).toBeGreaterThan(0);
  });
});
