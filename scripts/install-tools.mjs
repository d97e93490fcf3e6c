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

// The program itself is an optional dependency: npm is content without it, a test is not.
const arch = process.arch === 'x64' ? 'amd64' : process.arch;
const program = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
const anvil = `node_modules/@foundry-rs/anvil-${process.platform}-${arch}/bin/${program}`;

function isReady() {
  const installed = Object.entries(json(`${tools}package.json`).dependencies).every(([name, version]) => {
    const path = `${tools}node_modules/${name}/package.json`;
    return existsSync(path) && json(path).version === version;
  });
  return installed && existsSync(`${tools}${anvil}`);
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
  // The program comes in a package of its own: no install script has to run.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const args = [
    'install',
    ...flags,
    '--fetch-retries=2',
    '--fetch-retry-mintimeout=500',
    '--fetch-retry-maxtimeout=3000',
  ];
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
