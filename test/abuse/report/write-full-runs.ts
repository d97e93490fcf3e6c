/** The table of the attacks at full size. */
import { attackOn } from '../attacks/index.js';
import type { FullRun } from '../full-run.js';
import { failures, heldShare, isMachineBusy, latencies, verdict } from '../verdict.js';
import { buildName, machineName, today } from './build-name.js';
import { counted } from './console.js';
import { merged, readSection, writeSection } from './sections.js';

const SECTION = 'full';
const HEAD = [
  '| attack | build | for | loop p50 / p99 / longest, ms | above 100 ms | client: quiet -> attacked, median ms | p99 ms | until verified, median s | memory, MB | failed | acknowledged / lost | |',
  '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |',
];

export function writeFullRuns(runs: readonly FullRun[], checkout: string): void {
  const old = readSection(SECTION).split('\n');
  const starting = (sign: string) => old.filter((line) => line.startsWith(`${sign} H`));
  const rows = merged(
    starting('|'),
    runs.map((run) => tableRow(run, buildName(checkout))),
  );
  const details = merged(starting('-'), runs.map(detail));
  const when = `Last written on ${today()}, on ${machineName()}.`;
  writeSection(
    SECTION,
    [
      when,
      '',
      ...HEAD,
      ...rows,
      '',
      'What the attackers got, and where a criterion failed:',
      '',
      ...details,
    ].join('\n'),
  );
}

function tableRow(run: FullRun, build: string): string {
  const { row, seconds, loop, peakMegabytes, acknowledged, losses } = run;
  const [quiet, during] = [latencies(run, 'quiet'), latencies(run, 'attack')];
  const verified = (phase: string) => (latencies(run, phase, 'verified').median / 1_000).toFixed(1);
  const whole = (value: number) => value.toFixed(0);
  const cells = [
    `${row} ${attackOn(row).title}`,
    build,
    `${seconds} s`,
    `${whole(loop.p50)} / ${whole(loop.p99)} / ${whole(loop.longestMs)}`,
    `${(heldShare(loop, seconds) * 100).toFixed(1)} %`,
    `${quiet.median.toFixed(1)} -> ${during.median.toFixed(1)}`,
    `${whole(quiet.p99)} -> ${whole(during.p99)}`,
    `${verified('quiet')} -> ${verified('attack')}`,
    whole(peakMegabytes),
    String(failures(run, 'attack').length),
    `${acknowledged} / ${losses.length}`,
    verdict(run).every(({ holds }) => holds) ? 'holds' : '**fails**',
  ];
  return `| ${cells.join(' | ')} |`;
}

function detail(run: FullRun): string {
  const { row, got, heapBefore, heapAfter } = run;
  const failed = verdict(run).filter(({ holds }) => !holds);
  const heap = `heap after collecting garbage ${mb(heapBefore)} MB before, ${heapAfter === undefined ? 'unknown' : mb(heapAfter)} MB after`;
  const broken = failed.map(({ name, found, wanted }) => `${name} ${found}, wanted ${wanted}`).join('; ');
  const busy = isMachineBusy(run) ? ' The machine was busy in the quiet run, too.' : '';
  return `- ${row}: ${counted(got)}; ${heap}.${broken === '' ? '' : ` **Failed:** ${broken}.`}${busy}`;
}

const mb = (bytes: number): string => (bytes / 1e6).toFixed(0);
