// A virtual environment for tests in Python: `.venv` in a folder, made on first use and again when the requirements change.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Why there is none: no Python that is new enough, or its packages cannot be had. */
export class Missing extends Error {}

/**
 * The path of the interpreter. `minor` is the oldest Python 3 that will do, with `exactly` the only one, which then has an
 * environment of its own; `works` is what it must be able to import.
 *
 * @param {{ folder: string, requirements: string, minor: number, works: string, exactly?: boolean }} wanted
 */
export async function pythonEnvironment(wanted) {
  const venv = join(wanted.folder, wanted.exactly ? `.venv-3.${wanted.minor}` : '.venv');
  const program = process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python'];
  const interpreter = join(venv, ...program);
  await locked(`${venv}.lock`, () => prepare(wanted, venv, interpreter));
  return interpreter;
}

function prepare({ folder, requirements, minor, works, exactly }, venv, interpreter) {
  const stamp = join(venv, '.requirements-hash');
  const hash = createHash('sha256')
    .update(readFileSync(join(folder, requirements)))
    .digest('hex');
  const made = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (made && spawnSync(interpreter, ['-c', `import ${works}`]).status === 0) return;
  run(
    exactly ? findExactly(minor) : findPython(minor),
    ['-m', 'venv', '--clear', venv],
    folder,
    'no virtual environment could be made',
  );
  run(
    interpreter,
    ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements],
    folder,
    `the packages of ${requirements} could not be installed`,
  );
  writeFileSync(stamp, hash);
}

function findPython(minor) {
  const isNew = `import sys; sys.exit(sys.version_info < (3, ${minor}))`;
  const names = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
  const python = [process.env.PYTHON, ...names].find(
    (name) => name && spawnSync(name, ['-c', isNew]).status === 0,
  );
  if (!python) throw new Missing(`no Python 3.${minor} or newer`);
  return python;
}

/** By its name, or among those that pyenv has made. */
function findExactly(minor) {
  const is = `import sys; sys.exit(sys.version_info[:2] != (3, ${minor}))`;
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const made = existsSync(versions) ? readdirSync(versions) : [];
  const ofPyenv = made.filter((name) => name.startsWith(`3.${minor}.`));
  const names = [
    `python3.${minor}`,
    ...ofPyenv.map((name) => join(versions, name, 'bin', 'python')),
    'python3',
  ];
  const python = names.find((name) => spawnSync(name, ['-c', is]).status === 0);
  if (!python) throw new Missing(`no Python 3.${minor}`);
  return python;
}

function run(command, args, cwd, problem) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return;
  const last = `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').at(-1);
  throw new Missing(`${problem}${last ? ` (${last})` : ''}`);
}

/** Two test files may want the environment at once: one makes it, the other waits. */
async function locked(lock, work) {
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!isHeld(lock)) rmSync(lock, { force: true });
      else await pause(200);
    }
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** False when whoever made the lock is gone. */
function isHeld(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    // The file is empty for the moment between its making and its writing.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
