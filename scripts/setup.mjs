// Makes a fresh clone ready: installs when the lock file is newer than what is installed, then builds what changed.
// Everything it says goes to stderr: stdout belongs to the command that follows.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`handover needs Node 20.19 or newer; this is ${process.version}`);
  process.exit(1);
}

const NEEDED = ['typescript/bin/tsc', 'vite/package.json', 'libsql/package.json', 'vitest/package.json'];

function tries(command, args) {
  const shell = process.platform === 'win32';
  return spawnSync(command, args, { stdio: ['ignore', process.stderr, process.stderr], shell }).status === 0;
}

function run(command, args) {
  if (tries(command, args)) return;
  console.error(`setup failed: ${command} ${args.join(' ')}`);
  process.exit(1);
}

const stamp = 'node_modules/.handover-lock';
const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
if (installed !== lock) {
  console.error('installing dependencies…');
  // No package needs its install script: they only check or move binaries that work where they are, and one of them
  // sometimes starts its binary while npm is still writing it.
  const arguments_ = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const isWhole = () => NEEDED.every((file) => existsSync(`node_modules/${file}`));
  // Seen once: npm ended well and left most packages out.
  if (!tries('npm', arguments_) || !isWhole()) run('npm', arguments_);
  writeFileSync(stamp, lock);
}
run(process.execPath, ['node_modules/typescript/bin/tsc', '-b']);
run(process.execPath, ['scripts/build-pages.mjs']);
