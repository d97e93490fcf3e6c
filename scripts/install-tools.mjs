// Brings the programs of tools/ (anvil) when they are missing or of another version. They stay out of the lock file:
// their platform binaries lock incompletely, and then `npm ci` fails on the next platform.
// Says what it does on stderr; when all is there it only reads two files.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const tools = fileURLToPath(new URL('../tools/', import.meta.url));
const claim = `${tools}.installing`;
const STALE_MS = 180_000;

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

function isReady() {
  return Object.entries(json(`${tools}package.json`).dependencies).every(([name, version]) => {
    const path = `${tools}node_modules/${name}/package.json`;
    return existsSync(path) && json(path).version === version;
  });
}

/** Two test commands may start at once: one installs, the other waits for it. */
function take() {
  try {
    mkdirSync(claim);
    return true;
  } catch {
    if (existsSync(claim) && Date.now() - statSync(claim).mtimeMs > STALE_MS) rmdirSync(claim);
    return false;
  }
}

function install() {
  console.error('installing test tools (anvil)…');
  // The binary is an optional dependency of its own: no install script has to run.
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const shell = process.platform === 'win32';
  const { status } = spawnSync('npm', args, {
    cwd: tools,
    stdio: ['ignore', process.stderr, process.stderr],
    shell,
  });
  return status === 0 && isReady();
}

const started = Date.now();
while (!isReady()) {
  if (Date.now() - started > STALE_MS + 30_000) fail();
  if (!take()) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    continue;
  }
  try {
    if (!isReady() && !install()) fail();
  } finally {
    rmdirSync(claim);
  }
}

function fail() {
  if (existsSync(claim)) rmdirSync(claim);
  console.error(
    'anvil could not be installed: the tests of chain reading need `npm install` in tools/ to work',
  );
  process.exit(1);
}
