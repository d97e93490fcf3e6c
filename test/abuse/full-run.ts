/**
 * One attack at full size: the well-behaved client alone, then beside the attack, then a restart and the question whether
 * everything is there that was acknowledged.
 */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChainNodes } from './arena/chain-nodes.js';
import { IDENTITIES } from './arena/identities.js';
import type { RecordedLine } from './arena/recording.js';
import { memoryOf, startTarget, type Target } from './arena/target.js';
import { lossesIn } from './client/audit.js';
import type { Measured } from './client/clock.js';
import { acknowledged } from './client/ledger.js';
import { WellBehavedClient } from './client/run-client.js';
import { Attacker } from './run-attacker.js';

export interface FullRun {
  readonly row: string;
  readonly seconds: number;
  /** After the server was dead for whatever reason, undefined if it lived. */
  readonly diedAfterMs: number | undefined;
  readonly quiet: RecordedLine | undefined;
  readonly attacked: RecordedLine | undefined;
  readonly peakMegabytes: number;
  /** After a collection of garbage: before the attack and after it. */
  readonly heapBefore: number;
  readonly heapAfter: number | undefined;
  readonly calls: readonly Measured[];
  readonly acknowledged: number;
  readonly losses: readonly string[];
  readonly got: Readonly<Record<string, number>>;
  readonly complaints: readonly string[];
}

export interface FullRunOptions {
  readonly row: string;
  readonly checkout: string;
  readonly seconds: number;
}

const WARM_UP_MS = 5_000;
const QUIET_SECONDS = 30;
const SETTLE_MS = 2_000;

export async function fullRun({ row, checkout, seconds }: FullRunOptions): Promise<FullRun> {
  const nodes = await startChainNodes();
  const env = { ...IDENTITIES, ...nodes.env };
  const target = await startTarget({ checkout, env });
  const client = new WellBehavedClient(target);
  await sleep(WARM_UP_MS);
  await target.recording.mark();
  client.phase('quiet');
  await sleep(Math.min(QUIET_SECONDS, seconds) * 1_000);
  const quiet = target.recording.lines().at(-1);
  const before = await target.recording.mark();
  client.phase('attack');
  const attack = await attackFor(target, row, seconds);
  const attacked = target.recording.lines().findLast(({ mark, at }) => !mark && at > before.at);
  client.phase('after');
  await sleep(SETTLE_MS);
  const after = attack.diedAfterMs === undefined ? await target.recording.mark() : undefined;
  const { calls, ledger } = await client.stop();
  await target.process.stop();
  const again = await startTarget({ checkout, env, folder: target.folder });
  const losses = await lossesIn(ledger, again);
  await again.process.stop();
  nodes.stop();
  rmSync(target.folder, { recursive: true, force: true });
  return {
    row,
    seconds,
    ...attack,
    quiet,
    attacked,
    heapBefore: before.heapUsed,
    heapAfter: after?.heapUsed,
    calls,
    acknowledged: acknowledged(ledger),
    losses,
  };
}

async function attackFor(target: Target, row: string, seconds: number) {
  const begun = performance.now();
  let peakMegabytes = 0;
  const look = () => {
    peakMegabytes = Math.max(peakMegabytes, memoryOf(target.pid)?.peak ?? 0);
  };
  const looking = setInterval(look, 100);
  const attacker = Attacker.atFullSize(row, target.address);
  const died = target.process.exited.then(() => performance.now() - begun);
  const diedAfterMs = await Promise.race([died, sleep(seconds * 1_000, undefined)]);
  look();
  clearInterval(looking);
  const { got, lines } = await attacker.stop();
  return { diedAfterMs, peakMegabytes, got, complaints: lines };
}
