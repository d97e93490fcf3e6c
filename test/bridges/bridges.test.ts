/** The recipes of examples/bridges, with the real frameworks and a real server; what they must do is in the *.py files here. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FIRST_INSTALL_MS, runScript } from '../python/run-script.js';
import { useServer } from '../sdk/support/server.js';

const NOT_RUN = 77;
const folder = fileURLToPath(new URL('../../examples/bridges/', import.meta.url));
const server = useServer();

test('each is under 80 lines', () => {
  const bridges = readdirSync(folder).filter((name) => name.endsWith('.py'));
  expect(bridges).toEqual(['langgraph_bridge.py', 'openai_agents_bridge.py', 'temporal_bridge.py']);
  for (const name of bridges)
    expect(
      readFileSync(folder + name, 'utf8')
        .trimEnd()
        .split('\n').length,
      name,
    ).toBeLessThan(80);
});

test('they run', { timeout: FIRST_INSTALL_MS }, async ({ skip }) => {
  const env = { HANDOVER_ADDRESS: server.address() };
  const { code, stdout, stderr } = await runScript('bridge-tests.mjs', [], env);
  if (code === NOT_RUN) console.warn(stderr.trim());
  skip(code === NOT_RUN, stderr.trim());
  expect(code, `${stdout}\n${stderr}`).toBe(0);
  // Nothing skipped, nothing expected to fail.
  expect(stdout).toMatch(/^\d+ passed in \S+$/m);
});
