// Types and tests of the Python client, in a virtual environment of its own (python/.venv), made on first use and again
// when python/requirements-dev.txt changes. Where Python 3.10 or its packages cannot be had it says so in one line and
// succeeds, unless REQUIRE_PYTHON=1. Arguments go to pytest; `--interpreter` alone prints the path of the interpreter.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('../python/', import.meta.url));
const venv = join(home, '.venv');
const lock = join(home, '.venv.lock');
const stamp = join(venv, '.requirements-hash');
const interpreter = join(
  venv,
  ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']),
);

class Missing extends Error {}

function findPython() {
  const isNew = 'import sys; sys.exit(sys.version_info < (3, 10))';
  const names = [
    process.env.PYTHON,
    'python3',
    'python3.13',
    'python3.12',
    'python3.11',
    'python3.10',
    'python',
  ];
  const python = names.find((name) => name && spawnSync(name, ['-c', isNew]).status === 0);
  if (!python) throw new Missing('no Python 3.10 or newer');
  return python;
}

/** Output goes to stderr: stdout of `--interpreter` is one path. */
function run(command, args, problem) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: home, encoding: 'utf8' });
  if (status === 0) return;
  const last = `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').at(-1);
  throw new Missing(`${problem}${last ? ` (${last})` : ''}`);
}

/** Two test files may want the environment at once: one makes it, the other waits. */
async function locked(work) {
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!isHeld()) rmSync(lock, { force: true });
      else await pause(200);
    }
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** False when whoever made the lock is gone. */
function isHeld() {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    // The file is empty for the moment between its making and its writing.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function prepare() {
  const hash = createHash('sha256')
    .update(readFileSync(join(home, 'requirements-dev.txt')))
    .digest('hex');
  const made = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (made && spawnSync(interpreter, ['-c', 'import grpc, google.protobuf']).status === 0) return;
  const python = findPython();
  run(python, ['-m', 'venv', '--clear', venv], 'no virtual environment could be made');
  run(
    interpreter,
    ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements-dev.txt'],
    'the packages of python/requirements-dev.txt could not be installed',
  );
  writeFileSync(stamp, hash);
}

function check(args) {
  const { status } = spawnSync(interpreter, args, { cwd: home, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const args = process.argv.slice(2);
try {
  await locked(prepare);
  if (args[0] === '--interpreter') console.log(interpreter);
  else {
    check(['-m', 'mypy']);
    check(['-m', 'pytest', ...args]);
  }
} catch (error) {
  if (!(error instanceof Missing)) throw error;
  console.error(`Python tests did not run: ${error.message}`);
  process.exit(process.env.REQUIRE_PYTHON === '1' ? 1 : 0);
}
