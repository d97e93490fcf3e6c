/**
 * The packages as they are published: each is packed, then
 *   publint and attw read the tarball, so that what a user installs resolves and has its types (of the command, which
 *   has none, publint alone);
 *   the SDK is installed from tarballs into an empty folder, must load there, and must bring nothing that only the
 *   server or its pages need.
 * Every failure is said; one is enough to fail.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stageCommand } from './pack/command.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const SDK = 'macp-sdk-typescript';
/** What the SDK may bring of ours. Of others' packages none that reads or draws what a chain holds. */
const SDK_BRINGS = new Set([SDK, '@handover/core', '@handover/wire']);
const CHAIN = /^(?:ox|viem|abitype|dagre|@dagrejs\/.*|@noble\/.*|@scure\/.*)$/;

const failures = [];
const folder = mkdtempSync(join(tmpdir(), 'handover-packages-'));
try {
  const packed = pack(publishable());
  for (const [name, tarball] of packed) {
    check(`publint ${name}`, 'publint/src/cli.js', ['run', tarball, '--strict']);
    check(`attw ${name}`, '@arethetypeswrong/cli/dist/index.js', [
      tarball,
      ...['--profile', 'esm-only', '--no-emoji', '--no-color', '--format', 'ascii'],
    ]);
  }
  checkSdk(packed);
  // The command has no API, so there are no types to read.
  const command = join(folder, 'handover');
  await stageCommand(root, command);
  const [, tarball] = [...pack(new Map([['handover', command]]))][0];
  check('publint handover', 'publint/src/cli.js', ['run', tarball, '--strict']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`FAILED ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);

/** Folders of the workspaces that are not private, by package name. */
function publishable() {
  const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));
  const manifests = folders
    .filter((path) => existsSync(join(path, 'package.json')))
    .map((path) => [JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')), path]);
  return new Map(manifests.filter(([{ private: own }]) => !own).map(([{ name }, path]) => [name, path]));
}

/** Tarballs by package name. */
function pack(packages) {
  const tarballs = new Map();
  for (const [name, path] of packages) {
    const into = mkdtempSync(join(folder, 'packed-'));
    const run = npm(['pack', '--ignore-scripts', '--pack-destination', into], path);
    const [file] = readdirSync(into);
    if (run.status !== 0 || file === undefined) throw new Error(`npm pack failed for ${name}\n${run.stderr}`);
    tarballs.set(name, join(into, file));
  }
  return tarballs;
}

function check(what, bin, args) {
  const run = spawnSync(process.execPath, [join(root, 'node_modules', bin), ...args], { encoding: 'utf8' });
  const well = run.status === 0;
  console.log(`${well ? 'ok    ' : 'FAILED'} ${what}`);
  if (well) return;
  failures.push(what);
  console.log(`${run.stdout}\n${run.stderr}`);
}

function checkSdk(packed) {
  const home = join(folder, 'user-of-the-sdk');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{ "name": "user", "private": true, "type": "module" }\n');
  const tarballs = [...SDK_BRINGS].map((name) => packed.get(name));
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const installed = npm(['install', ...flags, ...tarballs], home);
  if (installed.status !== 0) throw new Error(`the packed SDK does not install\n${installed.stderr}`);

  const names = installedNames(join(home, 'node_modules'));
  const ours = names.filter((name) => packed.has(name) || name.startsWith('@handover/'));
  say('the packed SDK brings core and wire, and nothing else of ours', ours, (name) => !SDK_BRINGS.has(name));
  say('the packed SDK brings nothing for chains and diagrams', names, (name) => CHAIN.test(name));

  const program = `const sdk = await import('${SDK}'); if (!sdk.HandoffSession) process.exit(1);`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: home,
    encoding: 'utf8',
  });
  say('the packed SDK loads', run.status === 0 ? [] : [run.stderr], () => true);
}

function say(what, names, isWrong) {
  const wrong = names.filter(isWrong);
  console.log(`${wrong.length === 0 ? 'ok    ' : 'FAILED'} ${what}`);
  if (wrong.length > 0) failures.push(`${what}: ${wrong.join(', ')}`);
}

/** Every package below a node_modules, however deep. */
function installedNames(modules) {
  const folders = readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((file) => file.name === 'package.json')
    .map((file) => file.parentPath.replaceAll('\\', '/'));
  const found = folders.map((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1]);
  return [...new Set(found.filter((name) => name !== undefined))].sort();
}

function npm(args, cwd) {
  return spawnSync('npm', args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
}
