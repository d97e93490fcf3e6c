// npm run fuzz -- --minutes 30 [--only name,name] [--seed 7] [--cases 1000] [--report] [--verbose] [--seeds]
// Bad input for every decoder and every door. Prints a table, keeps what it finds under seeds/, and ends with 1 if it
// found anything. --seeds tries all kept seeds instead, the open ones too. --report writes docs/reports/fuzz.md, and
// --verbose says how the cases were answered.
import { parseArgs } from 'node:util';
import { writeReport } from './report.js';
import { type Run, runTarget } from './run-target.js';
import { keepSeed, readSeeds } from './seeds.js';
import { outcomesOf } from './server/outcomes.js';
import { closeServers } from './server/servers.js';
import { TARGETS } from './targets.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    only: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    cases: { type: 'string' },
    report: { type: 'boolean', default: false },
    seeds: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const names = values.only?.split(',');
const chosen = TARGETS.filter(({ name }) => names === undefined || names.includes(name));
if (chosen.length === 0) {
  console.error(`no such target; there are ${TARGETS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
process.exit(values.seeds ? await trySeeds() : await fuzz());

async function fuzz(): Promise<number> {
  const shares = chosen.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const runs: Run[] = [];
  console.log(`seed ${seed}`);
  for (const target of chosen) {
    const ms = (Number(values.minutes) * 60_000 * (target.weight ?? 1)) / shares;
    const cases = values.cases === undefined ? {} : { cases: Number(values.cases) };
    const run = await runTarget(target, { seed, ms, ...cases });
    runs.push(run);
    console.log(
      `${run.target.padEnd(20)} ${String(run.cases).padStart(9)} cases ${run.seconds.toFixed(1).padStart(7)} s ${run.findings.length} findings`,
    );
    if (values.verbose) console.log(`  ${outcomesOf(run.target)}`);
    for (const finding of run.findings)
      console.log(
        `  ${keepSeed(finding)} (case ${finding.index}, ${finding.times} times)\n    ${finding.kind}: ${finding.what}`,
      );
  }
  const { notes, flaws } = await closeServers();
  for (const { kind, what } of flaws) console.log(`  ${kind}: ${what}`);
  for (const note of notes) console.log(note);
  const command = `npm run fuzz -- ${process.argv.slice(2).join(' ')}`;
  if (values.report) writeReport({ runs, command, seed, servers: notes, seeds: readSeeds() });
  return flaws.length === 0 && runs.every(({ findings }) => findings.length === 0) ? 0 : 1;
}

async function trySeeds(): Promise<number> {
  let failing = 0;
  for (const { name, target, input, open = false } of readSeeds()) {
    const found = chosen.find((one) => one.name === target);
    if (!found) continue;
    const flaw = await found.replay(input);
    if (flaw && !open) failing++;
    console.log(
      `${name} ${flaw ? `${open ? 'still open' : 'BROKEN AGAIN'}: ${flaw.what}` : open ? 'is mended: take its mark away' : 'holds'}`,
    );
  }
  await closeServers();
  return failing;
}
