// Tests of examples/bridges: test/bridges, with the frameworks themselves in a virtual environment (tools/bridges/.venv).
// test/bridges/bridges.test.ts starts the server, says in HANDOVER_ADDRESS where it is, and calls this. Arguments go to
// pytest. Where Python 3.10 or the frameworks cannot be had it says so and ends with 77, which is not success; with
// REQUIRE_PYTHON=1 it ends with 1.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Missing, pythonEnvironment } from './python-environment.mjs';

const NOT_RUN = 77;

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = {
  folder: join(root, 'tools/bridges'),
  requirements: 'requirements.txt',
  minor: 10,
  works: 'grpc, pytest, temporalio',
};

try {
  const interpreter = await pythonEnvironment(wanted);
  const path = ['python/src', 'examples/bridges'].map((folder) => join(root, folder)).join(delimiter);
  // Frameworks that would tell somebody about a run are not to.
  const quiet = { OPENAI_AGENTS_DISABLE_TRACING: '1', LANGSMITH_TRACING: 'false' };
  const { status } = spawnSync(interpreter, ['-m', 'pytest', '-q', ...process.argv.slice(2)], {
    cwd: join(root, 'test/bridges'),
    env: { ...process.env, ...quiet, PYTHONPATH: path },
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
} catch (error) {
  if (!(error instanceof Missing)) throw error;
  console.error(`NOT RUN: the bridges: ${error.message}`);
  process.exit(process.env.REQUIRE_PYTHON === '1' ? 1 : NOT_RUN);
}
