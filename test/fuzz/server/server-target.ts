/**
 * A target over sockets: batches of cases against the two servers of the run in turn, a few at a time, and after each
 * batch a look at the server. A flaw in an answer is kept with its case; what shows only afterwards with its batch.
 */
import type { Flaw, Target } from '../target.js';
import type { Json } from '../values/json.js';
import type { Random } from '../values/random.js';
import type { Mode } from './people.js';
import type { ServerUnderTest } from './server-under-test.js';
import { freshServer, serverOf } from './servers.js';
import type { ToolSchema } from './tool-arguments.js';

const BATCH = 200;
const AT_ONCE = 4;
const MODES: readonly Mode[] = ['static', 'dev'];

export interface Door<Case extends Json> {
  readonly name: string;
  readonly weight?: number;
  /** How many cases go between two looks. */
  readonly batch?: number;
  /** Only what every server of this build has may be looked at: the published tools. */
  generate(random: Random, tools: readonly ToolSchema[]): Case;
  /** Sends one case and judges the answer. The names in it are already replaced. */
  send(one: Case, server: ServerUnderTest): Promise<Flaw | undefined>;
}

export function serverTarget<Case extends Json>({
  name,
  weight = 3,
  batch = BATCH,
  generate,
  send,
}: Door<Case>): Target {
  const sendOne = (one: Case, server: ServerUnderTest) => send(server.known.resolve(one), server);
  return {
    name,
    weight,
    async open() {
      for (const mode of MODES) await serverOf(mode);
    },
    async run(random, budget) {
      for (let first = 0; budget.isOpen; first += batch) {
        const mode = MODES[(first / batch) % MODES.length] ?? 'dev';
        const server = await serverOf(mode);
        const cases = Array.from({ length: batch }, (_, at) => generate(random(first + at), server.tools));
        await inPool(cases, async (one, at) => {
          if (!budget.isOpen || !server.isAlive) return;
          const flaw = await sendOne(one, server);
          budget.counted();
          if (flaw) budget.found(first + at, flaw, { mode, cases: [one] });
        });
        for (const flaw of await server.check()) budget.found(first, flaw, { mode, cases });
      }
    },
    async replay(input) {
      const { mode, cases } = input as { mode: Mode; cases: Case[] };
      if (!Array.isArray(cases) || !MODES.includes(mode)) return undefined;
      const server = await freshServer(mode);
      try {
        for (const one of cases) {
          const flaw = await sendOne(one, server);
          if (flaw) return flaw;
        }
        return (await server.check())[0];
      } catch (thrown) {
        // Not a case any more: somebody made it smaller than a case is.
        if (thrown instanceof TypeError) return undefined;
        throw thrown;
      } finally {
        await server.close();
      }
    },
  };
}

async function inPool<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) await work(items[at] as T, at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
