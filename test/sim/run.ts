/** `npm run sim -- --seeds N [--from M]`: the real engine on a simulated database, with faults. */
import { FAULT_KINDS, type FaultKind } from './faults.js';
import { simulate, type Without } from './simulate.js';

const argument = (name: string): number | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : Number(process.argv[at + 1]);
};

const only = process.env.SIM_SEED === undefined ? undefined : Number(process.env.SIM_SEED);
const from = only ?? argument('from') ?? 1;
const seeds = only === undefined ? (argument('seeds') ?? 1_000) : 1;
const stopAt = argument('stop-at') ?? 5;
const drop = (process.env.SIM_DROP ?? '')
  .split(',')
  .filter((kind): kind is FaultKind => FAULT_KINDS.some((known) => known === kind));

const totals: Record<string, number> = {};
let bad = 0;
const started = performance.now();
for (let seed = from; seed < from + seeds && bad < stopAt; seed++) {
  const outcome = await simulate(seed, { faults: drop });
  const { acks, duplicates, refusals, events, entries, happened } = outcome;
  for (const [name, count] of Object.entries({ acks, duplicates, refusals, events, entries, ...happened }))
    totals[name] = (totals[name] ?? 0) + count;
  if (seed % 50 === 0 && (await simulate(seed, { faults: drop })).trace !== outcome.trace) {
    bad++;
    console.log(`seed ${seed}: the same seed gave another log`);
  }
  if (outcome.violations.length === 0) continue;
  bad++;
  console.log(`seed ${seed}: ${outcome.violations.join('; ')}`);
  if (process.argv.includes('--no-shrink')) continue;
  const least = await shrink(seed, outcome.violations);
  console.log(`  SIM_SEED=${seed} SIM_DROP=${least.faults?.join(',') ?? ''} npm run sim`);
}
const seconds = (performance.now() - started) / 1_000;
console.log(JSON.stringify({ seeds, from, bad, seconds: Number(seconds.toFixed(1)), ...totals }));
process.exitCode = bad > 0 ? 1 : 0;

/** Leaves out one kind of fault after another, as long as the seed goes on to fail. */
async function shrink(seed: number, violations: readonly string[]): Promise<Without> {
  let faults: readonly FaultKind[] = drop;
  for (const kind of FAULT_KINDS) {
    const fewer = [...faults, kind];
    const { violations: left } = await simulate(seed, { faults: fewer });
    if (left.some((one) => violations.some((other) => other.slice(0, 3) === one.slice(0, 3)))) faults = fewer;
  }
  return { faults };
}
