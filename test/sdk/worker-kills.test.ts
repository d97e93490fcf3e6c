import { expect, it } from 'vitest';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { FIRST_INSTALL_MS, pythonInterpreter } from '../python/run-python.js';
import { killRun, pythonWorker, TYPESCRIPT, type WorkerProgram } from './worker/kill-run.js';

async function answersEachOnce(program: WorkerProgram): Promise<void> {
  const folder = temporaryFolder();
  const result = await killRun({ offers: 100, kills: 4, maxLifeMs: 800, folder, program });
  expect(result.violations).toEqual([]);
  expect(result.answered).toBe(100);
  expect(result.informed).toBeGreaterThan(90);
  // Otherwise the run showed nothing.
  expect(result.repeated).toBeGreaterThan(0);
}

it('a worker that is killed 4 times answers each of 100 offers once', { timeout: 240_000 }, () =>
  answersEachOnce(TYPESCRIPT),
);

it('so does one in Python', { timeout: FIRST_INSTALL_MS + 240_000 }, async ({ skip }) => {
  const interpreter = await pythonInterpreter();
  if (!interpreter) return skip('no Python');
  await answersEachOnce(pythonWorker(interpreter));
});
