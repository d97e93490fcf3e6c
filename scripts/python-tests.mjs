// Types and tests of the Python client, in a virtual environment of its own (python/.venv), made on first use and again
// when python/requirements-dev.txt changes. Where Python 3.10 or its packages cannot be had it says so in one line and
// succeeds, unless REQUIRE_PYTHON=1. Arguments go to pytest; `--interpreter` alone prints the path of the interpreter.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Missing, pythonEnvironment } from './python-environment.mjs';

const folder = fileURLToPath(new URL('../python/', import.meta.url));
const wanted = { folder, requirements: 'requirements-dev.txt', minor: 10, works: 'grpc, google.protobuf' };

const args = process.argv.slice(2);
try {
  const interpreter = await pythonEnvironment(wanted);
  const check = (...module) => {
    const { status } = spawnSync(interpreter, ['-m', ...module], { cwd: folder, stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  };
  if (args[0] === '--interpreter') console.log(interpreter);
  else {
    check('mypy');
    check('pytest', ...args);
  }
} catch (error) {
  if (!(error instanceof Missing)) throw error;
  console.error(`Python tests did not run: ${error.message}`);
  process.exit(process.env.REQUIRE_PYTHON === '1' ? 1 : 0);
}
