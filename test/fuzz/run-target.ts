/** Runs one target for its time. Findings that look alike count once, with how often they came. */
import { minimise } from './minimise.js';
import { type Finding, type Flaw, signatureOf, type Target } from './target.js';
import type { Json } from './values/json.js';
import { Random } from './values/random.js';

/** So many different findings of one target are enough to work on. */
const MAX_KINDS = 20;

export interface Run {
  readonly target: string;
  readonly cases: number;
  readonly seconds: number;
  readonly findings: readonly (Finding & { readonly times: number })[];
}

export interface RunOptions {
  readonly seed: number;
  readonly ms: number;
  /** Ends the run after so many cases, too. */
  readonly cases?: number;
}

interface Kept {
  readonly flaw: Flaw;
  readonly index: number;
  readonly input: Json;
  times: number;
}

export async function runTarget(
  target: Target,
  { seed, ms, cases = Number.POSITIVE_INFINITY }: RunOptions,
): Promise<Run> {
  await target.open?.();
  const started = performance.now();
  const kept = new Map<string, Kept>();
  let count = 0;
  const budget = {
    get isOpen() {
      return performance.now() - started < ms && count < cases && kept.size < MAX_KINDS;
    },
    counted: (more = 1) => {
      count += more;
    },
    found: (index: number, flaw: Flaw, input: Json) => {
      const known = kept.get(signatureOf(flaw));
      if (known) known.times++;
      else kept.set(signatureOf(flaw), { flaw, index, input, times: 1 });
    },
  };
  await target.run((index) => new Random(target.name, seed, index), budget);
  const seconds = (performance.now() - started) / 1_000;
  const findings = [];
  for (const { flaw, index, input, times } of kept.values()) {
    const smallest = await minimise(target, input, flaw);
    findings.push({ ...flaw, target: target.name, seed, index, input: smallest, times });
  }
  return { target: target.name, cases: count, seconds, findings };
}
