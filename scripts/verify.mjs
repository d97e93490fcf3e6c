// What CI runs: every check, one after another, and one line at the end that counts them. A check that fails does not
// stop the others, so that one run shows everything that is wrong.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

// A stale line in knip's own configuration fails, too.
const KNIP = ['--no-progress', '--treat-config-hints-as-errors'];

const checks = [
  ['set up', 'node', ['scripts/setup.mjs']],
  ['generated code is current', 'node', ['scripts/generate.mjs', '--check']],
  ['lint and format', 'node', ['node_modules/@biomejs/biome/bin/biome', 'ci', '.']],
  ['types, tests included', 'node', ['node_modules/typescript/bin/tsc', '-p', 'test', '--noEmit']],
  ['no dead file, export or dependency', 'node', ['node_modules/knip/bin/knip.js', ...KNIP]],
  ['packages as published', 'node', ['scripts/check-packages.mjs']],
  ['npm test', 'npm', ['test']],
];

let passed = 0;
const failed = [];
for (const [name, command, args] of checks) {
  console.log(`\n== ${name}: ${command} ${args.join(' ')}`);
  const started = Date.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  console.log(`== ${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  if (status === 0) passed++;
  else failed.push(name);
}
if (failed.length > 0) console.log(`\nfailed: ${failed.join(', ')}`);
console.log(`\n${passed} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
