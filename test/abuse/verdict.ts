/** What must hold while a server is attacked, and whether it did. */
import { median } from '../bench/measure.js';
import type { LoopFigures } from './arena/recording.js';
import type { FullRun } from './full-run.js';

export interface Criterion {
  readonly name: string;
  readonly wanted: string;
  readonly found: string;
  readonly holds: boolean;
}

const MAX_P99_MS = 100;
/** A stretch of ten seconds is one sample of thousands, so p99 alone would not see it. */
const MAX_HELD_SHARE = 0.01;
const MAX_SLOWER = 3;
const MAX_MEGABYTES = 512;
/** What a session that is over may leave behind; only from so many on can it be told from everything else. */
const MAX_KEPT_BYTES = 1_000;
const ENOUGH_CYCLES = 5_000;

export interface Latencies {
  readonly median: number;
  readonly p99: number;
}

/** Verification waits for a chain and is a figure of its own. */
export function latencies({ calls }: FullRun, phase: string, kind?: string): Latencies {
  const times = calls
    .filter(
      (call) => call.phase === phase && (kind === undefined ? call.kind !== 'verified' : call.kind === kind),
    )
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
  return { median: median(times), p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}

export const failures = ({ calls }: FullRun, phase: string): readonly string[] =>
  calls.flatMap((call) => (call.phase === phase && call.failure !== undefined ? [call.failure] : []));

export function verdict(run: FullRun): readonly Criterion[] {
  const { loop, survived, seconds, peakMegabytes, losses } = run;
  const slower = (kind?: string) =>
    latencies(run, 'attack', kind).median / latencies(run, 'quiet', kind).median;
  const refused = failures(run, 'attack');
  return [
    { name: 'the server survives', wanted: 'yes', found: survived, holds: survived === 'yes' },
    criterion('loop delay p99', loop.p99, MAX_P99_MS, 'ms'),
    criterion('time in stretches above 100 ms', heldShare(loop, seconds) * 100, MAX_HELD_SHARE * 100, '%', 1),
    criterion("client's median", slower(), MAX_SLOWER, 'x quiet', 1),
    criterion('median until a claim is verified', slower('verified'), MAX_SLOWER, 'x quiet', 1),
    criterion('memory', peakMegabytes, MAX_MEGABYTES, 'MB'),
    criterion('calls of the client that failed', refused.length, 0, ''),
    criterion('acknowledged and lost', losses.length, 0, ''),
    ...leak(run),
  ];
}

/** For attacks that count what comes and goes. */
function leak({ got, heapBefore, heapAfter }: FullRun): readonly Criterion[] {
  const cycles = got.cycle ?? 0;
  if (cycles < ENOUGH_CYCLES || heapAfter === undefined) return [];
  return [criterion('kept of each cycle', (heapAfter - heapBefore) / cycles, MAX_KEPT_BYTES, 'bytes')];
}

/** Share of the time that lay in stretches above 100 ms. */
export const heldShare = ({ heldMs }: LoopFigures, seconds: number): number => heldMs / (seconds * 1_000);

/** Somebody else was on the server's core: nothing that was measured counts. */
export const isMachineBusy = ({ quietLoop, quietSeconds }: FullRun): boolean =>
  heldShare(quietLoop, quietSeconds) > MAX_HELD_SHARE;

function criterion(name: string, found: number, most: number, unit: string, digits = 0): Criterion {
  const shown = (value: number) =>
    `${Number.isFinite(value) ? value.toFixed(digits) : 'unknown'} ${unit}`.trim();
  return { name, wanted: `<= ${shown(most)}`, found: shown(found), holds: found <= most };
}
