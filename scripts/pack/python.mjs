// Wheel and sdist of the Python client, built from a copy: a build beside the sources would take in whatever lies there,
// and leave its own things behind. `node scripts/pack/python.mjs <folder>` builds alone, with this Python: PYTHON=<path>.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHIPPED = ['pyproject.toml', 'README.md', 'src'];
const isOurs = (path) => !['__pycache__', '.mypy_cache'].includes(basename(path));

/** `python` is an interpreter with the packages of python/requirements-dev.txt. */
export function buildPython(root, out, python) {
  const copy = mkdtempSync(join(tmpdir(), 'handover-python-'));
  try {
    for (const name of SHIPPED)
      cpSync(join(root, 'python', name), join(copy, name), { recursive: true, filter: isOurs });
    cpSync(join(root, 'LICENSE'), join(copy, 'LICENSE'));
    // The wheel is built from the sdist, so that both hold the same.
    run(python, ['-m', 'build', '--no-isolation', '--outdir', out, copy]);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The interpreter of the Python tests; undefined where there is none and none is required, which it says. */
export function testInterpreter(root) {
  return (
    run(process.execPath, [join(root, 'scripts', 'python-tests.mjs'), '--interpreter']).trim() || undefined
  );
}

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${basename(command)} ${args.join(' ')} failed\n${stdout}${stderr}`);
  if (stderr.startsWith('Python tests did not run'))
    console.error(stderr.replace('tests did not run', 'client is not packed'));
  return stdout;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  buildPython(root, resolve(process.argv[2]), process.env.PYTHON ?? testInterpreter(root));
}
