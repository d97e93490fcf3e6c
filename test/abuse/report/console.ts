/** A run as an operator reads it. */
import type { LoopFigures } from '../arena/recording.js';
import type { FullRun } from '../full-run.js';
import { failures, isMachineBusy, latencies, verdict } from '../verdict.js';

export function showRun(run: FullRun): void {
  if (isMachineBusy(run))
    console.log('  the loop was held in the quiet run, too: this machine is too busy to measure anything');
  for (const { name, wanted, found, holds } of verdict(run))
    console.log(`  ${holds ? 'holds' : 'FAILS'}  ${name}: ${found} (${wanted})`);
  for (const phase of ['quiet', 'attack']) {
    const { median, p99 } = latencies(run, phase);
    console.log(`  the client, ${phase}: median ${median.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms`);
  }
  const { quietLoop, loop, heapBefore, heapAfter, acknowledged, got, complaints, losses } = run;
  console.log(`  loop, quiet: ${loopText(quietLoop)}`);
  console.log(`  loop, attack: ${loopText(loop)}`);
  console.log(
    `  heap: ${megabytes(heapBefore)} MB before, ${heapAfter === undefined ? 'unknown' : megabytes(heapAfter)} MB after`,
  );
  console.log(`  acknowledged: ${acknowledged}`);
  console.log(`  the attacker got: ${counted(got)}`);
  for (const [what, count] of tally(failures(run, 'attack'))) console.log(`  failed ${count} times: ${what}`);
  for (const line of [...complaints, ...losses.slice(0, 5)]) console.log(`  ${line}`);
}

const loopText = ({ p50, p99, longestMs }: LoopFigures): string =>
  `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${longestMs.toFixed(0)} ms`;

export const counted = (got: Readonly<Record<string, number>>): string =>
  Object.entries(got)
    .sort(([, a], [, b]) => b - a)
    .map(([what, count]) => `${count} x ${what}`)
    .join(', ') || 'nothing';

export function tally(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
