// npm run abuse [-- --only h3,h9] [-- --seconds 120] [-- --server <checkout>] [-- --probe] [-- --report] [-- --old <checkout>]
//
// Attacks a running server beside a well-behaved client. Not a part of CI: the full form takes minutes for each attack, and
// wants a machine with two cores to itself. --probe runs the small form of every attack; with --old the same on another
// build, so that both can be compared. --report writes docs/reports/abuse.md.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { moveToLoadCore } from './arena/cores.js';
import { THIS_CHECKOUT } from './arena/target.js';
import { ATTACKS } from './attacks/index.js';
import { type FullRun, fullRun } from './full-run.js';
import { buildName } from './report/build-name.js';
import { showRun } from './report/console.js';
import { writeFullRuns } from './report/write-full-runs.js';
import { type Probed, writeProbes } from './report/write-probes.js';
import { probe } from './run-attacker.js';
import { verdict } from './verdict.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '120' },
    server: { type: 'string', default: THIS_CHECKOUT },
    old: { type: 'string' },
    probe: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});
const wanted = values.only?.toUpperCase().split(',');
const attacks = ATTACKS.filter(({ row }) => wanted === undefined || wanted.includes(row));
const checkout = resolve(values.server);
moveToLoadCore();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
process.exitCode = values.probe ? await runProbes() : await runAll();

async function runProbes(): Promise<number> {
  const checkouts = [...(values.old === undefined ? [] : [resolve(values.old)]), checkout];
  const probed: Probed[] = [];
  for (const { row, title } of attacks)
    for (const one of checkouts) {
      console.log(`\n${row} ${title}, on ${buildName(one)}`);
      const { lines } = await probe(row, one, (line) => console.log(`  ${line}`));
      probed.push({ row, title, checkout: one, lines });
    }
  if (values.report) writeProbes(probed);
  return 0;
}

async function runAll(): Promise<number> {
  const runs: FullRun[] = [];
  for (const { row, title, full } of attacks) {
    if (!full) continue;
    console.log(`\n${row} ${title}`);
    const run = await fullRun({ row, checkout, seconds: Number(values.seconds) });
    showRun(run);
    runs.push(run);
  }
  if (values.report) writeFullRuns(runs, checkout);
  return runs.every((run) => verdict(run).every(({ holds }) => holds)) ? 0 : 1;
}
