/** A target inside this process: one input after another goes into a function that must not throw and must be quick. */
import type { Flaw, Target } from './target.js';
import type { Json } from './values/json.js';
import type { Random } from './values/random.js';

/** The processor time that one input may take. */
const SLOW_MS = 200;
/** After so many cases other work of this process gets a turn. */
const BREATHE = 256;

export interface Decoder {
  readonly name: string;
  generate(random: Random): Json;
  /** What does not hold for this input. Whatever it throws is a flaw, too. */
  check(input: Json): string | undefined | Promise<string | undefined>;
}

export function decoderTarget({ name, generate, check }: Decoder): Target {
  const look = async (input: Json): Promise<Flaw | undefined> => {
    try {
      const what = await check(input);
      return what === undefined ? undefined : { kind: 'unstable', what };
    } catch (thrown) {
      const what = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
      return { kind: 'threw', what };
    }
  };
  const replay = async (input: Json): Promise<Flaw | undefined> => {
    const started = performance.now();
    const flaw = await look(input);
    if (flaw || performance.now() - started < SLOW_MS) return flaw;
    // The machine may have been busy: what counts is the least processor time of three more attempts.
    const times: number[] = [];
    for (let round = 0; round < 3; round++) times.push(await processorMs(() => look(input)));
    const least = Math.min(...times);
    return least < SLOW_MS ? undefined : { kind: 'slow', what: `took ${Math.round(least)} ms` };
  };
  return {
    name,
    replay,
    async run(random, budget) {
      for (let index = 0; budget.isOpen; index++) {
        const input = generate(random(index));
        const flaw = await replay(input);
        budget.counted();
        if (flaw) budget.found(index, flaw, input);
        if (index % BREATHE === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
