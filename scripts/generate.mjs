/**
 * Generates from schemas/proto, with nothing but what npm installed:
 *   packages/wire/src/gen   TypeScript messages and the service
 *   schemas/macp.binpb      FileDescriptorSet with imports, for gRPC reflection
 *   python/src/handover_macp/_descriptors.binpb   the same file, for the Python SDK
 *   python/src/macp_sdk     the Python SDK's other name
 * All are committed. With --check, generates into a temporary folder instead and fails on any difference.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PYTHON_ALIAS, writePythonAlias } from './python-alias.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules', '.bin');
const DESCRIPTORS = 'schemas/macp.binpb';
const PYTHON = 'python/src/handover_macp';
const PYTHON_DESCRIPTORS = `${PYTHON}/_descriptors.binpb`;
const GENERATED = ['packages/wire/src/gen', DESCRIPTORS, PYTHON_DESCRIPTORS, PYTHON_ALIAS];

/** Runs buf, which finds its plugin through PATH. */
function buf(...args) {
  const run = spawnSync('buf', args, {
    cwd: root,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
    shell: process.platform === 'win32',
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`buf ${args[0]} failed`);
}

function generate(into) {
  // Not buf's --clean: it would delete relative to the repository even when the output goes elsewhere.
  for (const path of GENERATED) rmSync(join(into, path), { recursive: true, force: true });
  for (const folder of ['schemas', PYTHON]) mkdirSync(join(into, folder), { recursive: true });
  buf('generate', '--output', into);
  buf('build', '--as-file-descriptor-set', '--exclude-source-info', '--output', join(into, DESCRIPTORS));
  copyFileSync(join(into, DESCRIPTORS), join(into, PYTHON_DESCRIPTORS));
  writePythonAlias(root, into);
}

/** Path to bytes of every generated file below a base folder. */
function contents(base) {
  const files = new Map();
  const add = (path) => files.set(relative(base, path), readFileSync(path));
  for (const path of GENERATED.map((entry) => join(base, entry))) {
    if (!existsSync(path)) continue;
    if (path.endsWith('.binpb')) add(path);
    else
      for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
        if (entry.isFile() && !entry.name.endsWith('.pyc'))
          add(join(entry.parentPath ?? entry.path, entry.name));
  }
  return files;
}

function differences(committed, fresh) {
  const names = new Set([...committed.keys(), ...fresh.keys()]);
  return [...names].filter((name) => {
    const [before, after] = [committed.get(name), fresh.get(name)];
    return before === undefined || after === undefined || !before.equals(after);
  });
}

function check() {
  const temporary = mkdtempSync(join(tmpdir(), 'handover-generate-'));
  try {
    generate(temporary);
    const stale = differences(contents(root), contents(temporary));
    if (stale.length === 0) return;
    console.error(`Not what schemas/proto generates (run npm run generate):\n  ${stale.sort().join('\n  ')}`);
    process.exitCode = 1;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

try {
  buf('lint');
  buf('format', '--diff', '--exit-code');
  if (process.argv.includes('--check')) check();
  else generate(root);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
