// A process of its own for one attack, so that what it costs to attack is not taken for what the server costs. The first
// message says what to do; the answers are lines that were observed, or counts of what the attacker got.
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChainNodes } from '../arena/chain-nodes.js';
import { IDENTITIES } from '../arena/identities.js';
import { launch, startTarget, type TargetAddress, type TargetOptions } from '../arena/target.js';
import type { Arena, Launched } from '../attack.js';
import { attackOn } from '../attacks/index.js';

export type Job =
  | { readonly kind: 'probe'; readonly row: string; readonly checkout: string }
  | { readonly kind: 'full'; readonly row: string; readonly target: TargetAddress }
  | { readonly kind: 'stop' };

export type Report =
  | { readonly kind: 'said'; readonly line: string }
  | { readonly kind: 'got'; readonly got: Readonly<Record<string, number>> };

/** A start that has neither succeeded nor failed by then hangs. */
const START_MS = 15_000;
/** The well-behaved client is on the same core and goes first. */
const LOW_PRIORITY = 10;
setPriority(LOW_PRIORITY);

const over = new AbortController();
const got: Record<string, number> = {};
const tell = (report: Report): Promise<void> =>
  new Promise((resolve) => process.send?.(report, () => resolve()));
process.on('disconnect', () => process.exit());
setInterval(() => void tell({ kind: 'got', got }), 1_000).unref();
// What goes wrong on a connection that the server ends is part of the attack.
process.on('uncaughtException', (error: NodeJS.ErrnoException) =>
  count(`attacker: ${error.code ?? error.message}`),
);

process.on('message', (job: Job) => {
  if (job.kind === 'stop') over.abort();
  else void work(job).then(() => process.exit());
});

function count(what: string): void {
  got[what] = (got[what] ?? 0) + 1;
}

async function work(job: Exclude<Job, { kind: 'stop' }>): Promise<void> {
  const attack = attackOn(job.row);
  try {
    if (job.kind === 'probe') await attack.probe(await arenaOf(job.checkout));
    else await attack.full?.({ target: job.target, over: over.signal, got: count });
  } catch (thrown) {
    await tell({ kind: 'said', line: `the attack itself failed: ${String(thrown).slice(0, 500)}` });
  }
  await tell({ kind: 'got', got });
}

async function arenaOf(checkout: string): Promise<Arena> {
  const nodes = await startChainNodes();
  const withIdentities = ({ env, ...options }: Omit<TargetOptions, 'checkout'>) => ({
    ...options,
    checkout,
    env: { ...IDENTITIES, ...env },
  });
  return {
    nodes,
    say: (line) => void tell({ kind: 'said', line }),
    serve: (options = {}) => startTarget(withIdentities(options)),
    launch: (options = {}) => settled(launch({ ...options, checkout }).process),
  };
}

async function settled(launched: ReturnType<typeof launch>['process']): Promise<Launched> {
  const ready = await Promise.race([
    launched.ready().catch(() => undefined),
    sleep(START_MS, 'late' as const, { ref: false }),
  ]);
  const said = launched.stderr.trim();
  if (ready === 'late') return { ready: false, ended: false, grpc: '', http: '', said };
  const { grpc, http } = ready ?? { grpc: '', http: '' };
  return { ready: ready !== undefined, ended: ready === undefined, grpc, http, said };
}
