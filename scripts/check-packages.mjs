/**
 * The two npm packages as they are published: each is packed, then publint reads the tarball, and attw finds the types of
 * the SDK in every way that TypeScript looks for them (the command has no API, so no types).
 * test/packages installs them into empty folders and uses them there.
 * Every failure is said; one is enough to fail.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stageCommand } from './pack/command.mjs';
import { npmPack } from './pack/npm.mjs';
import { stageSdk } from './pack/sdk.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const PUBLINT = 'publint/src/cli.js';
const ATTW = '@arethetypeswrong/cli/dist/index.js';

const failures = [];
const folder = mkdtempSync(join(tmpdir(), 'handover-packages-'));
try {
  const command = await packed('handover', stageCommand);
  check('publint handover', PUBLINT, ['run', command, '--strict']);
  const sdk = await packed('sdk', stageSdk);
  check('publint macp-sdk-typescript', PUBLINT, ['run', sdk, '--strict']);
  check('attw macp-sdk-typescript', ATTW, [sdk, '--no-emoji', '--no-color', '--format', 'ascii']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`FAILED ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);

/** The tarball of a package that `stage` makes. */
async function packed(name, stage) {
  await stage(root, join(folder, name));
  return npmPack(join(folder, name), folder);
}

function check(what, bin, args) {
  const run = spawnSync(process.execPath, [join(root, 'node_modules', bin), ...args], { encoding: 'utf8' });
  const well = run.status === 0;
  console.log(`${well ? 'ok    ' : 'FAILED'} ${what}`);
  if (well) return;
  failures.push(what);
  console.log(`${run.stdout}\n${run.stderr}`);
}
