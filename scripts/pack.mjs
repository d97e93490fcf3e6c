// `npm run pack [-- <folder>]`: what is published, in out/: the command and the TypeScript SDK as tarballs, the Python
// client as wheel and sdist, what the command is made of, and checksums.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stageCommand } from './pack/command.mjs';
import { npm, npmPack } from './pack/npm.mjs';
import { buildPython, testInterpreter } from './pack/python.mjs';
import { stageSdk } from './pack/sdk.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const out = resolve(process.argv[2] ?? `${root}/out`);
const stage = `${out}/stage/handover`;

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await stageCommand(root, stage);
npmPack(stage, out);
await stageSdk(root, `${out}/stage/sdk`);
npmPack(`${out}/stage/sdk`, out);
// Of the package alone: what npm chooses for whoever installs it today.
npm(['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], stage);
const sbom = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
writeFileSync(`${out}/sbom.cdx.json`, npm(sbom, stage));
const python = testInterpreter(root);
if (python) buildPython(root, out, python);
const sums = files().map((name) => `${sha256(name)}  ${name}\n`);
writeFileSync(`${out}/SHA256SUMS`, sums.join(''));
for (const name of files()) console.log(`${out}/${name}`);

function files() {
  return readdirSync(out, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

function sha256(name) {
  return createHash('sha256')
    .update(readFileSync(`${out}/${name}`))
    .digest('hex');
}
