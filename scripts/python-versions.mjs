// Types and tests of the Python client on each Python that it is for, in an environment of its own (python/.venv-3.13):
// `npm run python:versions`, or `npm run python:versions -- 3.10 3.13`. What comes after `--` goes to pytest. Of a Python
// that is not on this machine only the types are checked, as that version has them, and it says so; with REQUIRE_PYTHON=1
// it fails. Found are `python3.X` on the path and the versions of pyenv.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Missing, pythonEnvironment } from './python-environment.mjs';

const folder = fileURLToPath(new URL('../python/', import.meta.url));
const wanted = { folder, requirements: 'requirements-dev.txt', minor: 10, works: 'grpc, google.protobuf' };
const ALL = ['3.10', '3.11', '3.12', '3.13'];

const args = process.argv.slice(2);
const end = args.indexOf('--');
const versions = end < 0 ? args : args.slice(0, end);
const toPytest = end < 0 ? [] : args.slice(end + 1);
const unknown = versions.find((version) => !ALL.includes(version));
if (unknown !== undefined) {
  console.error(`${unknown} is none of ${ALL.join(', ')}`);
  process.exit(2);
}

const outcomes = [];
for (const version of versions.length > 0 ? versions : ALL) {
  console.log(`--- Python ${version}`);
  outcomes.push([version, await outcome(version)]);
}
for (const [version, { words }] of outcomes) console.log(`Python ${version}: ${words}`);
process.exit(outcomes.every(([, { ok }]) => ok) ? 0 : 1);

async function outcome(version) {
  try {
    const minor = Number(version.split('.')[1]);
    const interpreter = await pythonEnvironment({ ...wanted, minor, exactly: true });
    const ok = typesFit(interpreter, version) && passes(interpreter, 'pytest', ...toPytest);
    return { ok, words: ok ? 'types and tests pass' : 'failed' };
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    const ok = typesFit(await pythonEnvironment(wanted), version);
    const words = `${ok ? 'types fit' : 'types do not fit'}, tests did not run: ${error.message}`;
    return { ok: ok && process.env.REQUIRE_PYTHON !== '1', words };
  }
}

function typesFit(interpreter, version) {
  return passes(interpreter, 'mypy', '--python-version', version);
}

function passes(interpreter, ...module) {
  return spawnSync(interpreter, ['-m', ...module], { cwd: folder, stdio: 'inherit' }).status === 0;
}
