/** The Python client's own tests and its types, as part of `npm test`. */
import { expect, test } from 'vitest';
import { FIRST_INSTALL_MS, runPython } from './run-python.js';

test('the Python client passes its types and tests', { timeout: FIRST_INSTALL_MS }, async () => {
  const { code, stdout, stderr } = await runPython();
  expect(code, `${stdout}\n${stderr}`).toBe(0);
  if (stderr.startsWith('Python tests did not run')) console.warn(stderr.trim());
  else expect(stdout).toMatch(/\d+ passed/);
});
