import { expect, it } from 'vitest';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { killRun } from './worker/kill-run.js';

it('a worker that is killed 4 times answers each of 100 offers once', { timeout: 240_000 }, async () => {
  const result = await killRun({ offers: 100, kills: 4, maxLifeMs: 800, folder: temporaryFolder() });
  expect(result.violations).toEqual([]);
  expect(result.answered).toBe(100);
  expect(result.informed).toBeGreaterThan(90);
  // Otherwise the run showed nothing.
  expect(result.repeated).toBeGreaterThan(0);
});
