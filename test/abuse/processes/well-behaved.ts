// The well-behaved client, in a process of its own. Stories begin at fixed times, whether or not earlier ones have been
// answered: a server that stands still is felt by all who come meanwhile, not by one.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measured } from '../client/clock.js';
import type { Ledger } from '../client/ledger.js';
import { Stories } from '../client/stories.js';

export type Order =
  | { readonly kind: 'start'; readonly grpc: string; readonly http: string }
  | { readonly kind: 'phase'; readonly name: string }
  | { readonly kind: 'stop' };

export interface Outcome {
  readonly calls: readonly Measured[];
  readonly ledger: Ledger;
}

const HANDOFF_EVERY_MS = 500;
const ASSISTANTS_EVERY_MS = 1_000;
const PAYMENT_EVERY_MS = 5_000;
/** Enough for every call under way to be answered or to reach its deadline. */
const DRAIN_MS = 100_000;

let stories: Stories | undefined;
const timers: NodeJS.Timeout[] = [];
const underWay = new Set<Promise<void>>();

process.on('disconnect', () => process.exit());
process.on('message', (order: Order) => {
  if (order.kind === 'start') begin(new Stories(order));
  else if (order.kind === 'phase' && stories) stories.clock.phase = order.name;
  else void end();
});

function begin(begun: Stories): void {
  stories = begun;
  every(HANDOFF_EVERY_MS, (turn) => begun.handoff(turn));
  every(ASSISTANTS_EVERY_MS, (turn) => begun.assistants(turn));
  every(PAYMENT_EVERY_MS, (turn) => begun.payment(turn));
}

function every(ms: number, tell: (turn: number) => Promise<void>): void {
  let turn = 0;
  timers.push(
    setInterval(() => {
      // The clock has written down what failed.
      const story: Promise<void> = tell(turn++)
        .catch(() => {})
        .finally(() => underWay.delete(story));
      underWay.add(story);
    }, ms),
  );
}

async function end(): Promise<void> {
  for (const timer of timers) clearInterval(timer);
  await Promise.race([Promise.all(underWay), sleep(DRAIN_MS)]);
  const { clock, ledger } = stories ?? {
    clock: { calls: [] },
    ledger: { sessions: [], works: [], payments: [] },
  };
  process.send?.({ calls: clock.calls, ledger } satisfies Outcome, () => process.exit());
}
