// Tests of a public MACP client of another vendor against our server: test/macp-client/flows, in a virtual environment of
// its own (tools/macp-client/.venv) with nothing of ours in it. test/macp-client/client.test.ts starts the servers, says in
// the environment where they are, and calls this. Arguments go to pytest. Where Python 3.11 or the client cannot be had it
// says so and ends with 77, which is not success; with REQUIRE_PYTHON=1 it ends with 1.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Missing, pythonEnvironment } from './python-environment.mjs';

const NOT_RUN = 77;

// requirements.txt is made of requirements.in: `uv pip compile --universal --python-version 3.11 --generate-hashes`.
const folder = fileURLToPath(new URL('../tools/macp-client/', import.meta.url));
const flows = fileURLToPath(new URL('../test/macp-client/flows/', import.meta.url));
const wanted = {
  folder,
  requirements: 'requirements.txt',
  minor: 11,
  works: 'macp_sdk, cryptography, pytest',
};

try {
  const interpreter = await pythonEnvironment(wanted);
  const args = ['-m', 'pytest', '-q', ...process.argv.slice(2)];
  const { status } = spawnSync(interpreter, args, { cwd: flows, stdio: 'inherit' });
  process.exit(status ?? 1);
} catch (error) {
  if (!(error instanceof Missing)) throw error;
  console.error(`NOT RUN: the MACP client of another vendor: ${error.message}`);
  process.exit(process.env.REQUIRE_PYTHON === '1' ? 1 : NOT_RUN);
}
