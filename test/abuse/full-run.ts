/**
 * One attack at full size: the well-behaved client alone, then beside the attack, then a restart and the question whether
 * everything is there that was acknowledged.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startChainNodes } from './arena/chain-nodes.js';
import { IDENTITIES } from './arena/identities.js';
import type { LoopFigures } from './arena/recording.js';
import { memoryOf, startTarget, type Target } from './arena/target.js';
import { lossesIn } from './client/audit.js';
import type { Measured } from './client/clock.js';
import { acknowledged } from './client/ledger.js';
import { WellBehavedClient } from './client/run-client.js';
import { Attacker } from './run-attacker.js';

export interface FullRun {
  readonly row: string;
  readonly seconds: number;
  /** Whether the server lived, and answered again after the attack. */
  readonly survived: 'yes' | 'died' | 'hangs';
  /** In the quiet run, and beside the attack. */
  readonly quietLoop: LoopFigures;
  readonly quietSeconds: number;
  readonly loop: LoopFigures;
  readonly peakMegabytes: number;
  /** After a collection of garbage, before the attack and after it. */
  readonly heapBefore: number;
  readonly heapAfter: number | undefined;
  readonly calls: readonly Measured[];
  readonly acknowledged: number;
  readonly losses: readonly string[];
  readonly got: Readonly<Record<string, number>>;
  /** What went wrong in the attacker itself. */
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
/** A server that does not answer for so long after an attack hangs. */
const RECOVERY_MS = 30_000;

export async function fullRun({ row, checkout, seconds }: FullRunOptions): Promise<FullRun> {
  const nodes = await startChainNodes();
  const env = { ...IDENTITIES, ...nodes.env };
  const target = await startTarget({ checkout, env });
  const client = new WellBehavedClient(target);
  await sleep(WARM_UP_MS);
  await target.recording.mark();
  client.phase('quiet');
  const quietSeconds = Math.min(QUIET_SECONDS, seconds);
  await sleep(quietSeconds * 1_000);
  const quietLoop = target.recording.sinceMark();
  const { heapUsed: heapBefore } = await target.recording.mark();
  client.phase('attack');
  const attack = await attackFor(target, row, seconds);
  client.phase('after');
  await sleep(SETTLE_MS);
  const recovered = await recoveryOf(target);
  const { calls, ledger } = await client.stop();
  await stopped(target);
  const again = await startTarget({ checkout, env, folder: target.folder });
  const losses = await lossesIn(ledger, again);
  await stopped(again);
  nodes.stop();
  const kept = { calls, acknowledged: acknowledged(ledger), losses };
  return { row, seconds, quietSeconds, quietLoop, ...attack, ...recovered, heapBefore, ...kept };
}

async function attackFor(target: Target, row: string, seconds: number) {
  let peakMegabytes = 0;
  const look = () => {
    peakMegabytes = Math.max(peakMegabytes, memoryOf(target.pid)?.peak ?? 0);
  };
  const looking = setInterval(look, 100);
  const attacker = Attacker.atFullSize(row, target.address);
  await Promise.race([target.process.exited, sleep(seconds * 1_000)]);
  look();
  clearInterval(looking);
  const loop = target.recording.sinceMark();
  const { got, lines } = await attacker.stop();
  return { loop, peakMegabytes, got, complaints: lines };
}

async function recoveryOf(target: Target): Promise<Pick<FullRun, 'survived' | 'heapAfter'>> {
  const died = target.process.exited.then(() => 'died' as const);
  const late = sleep(RECOVERY_MS, 'hangs' as const);
  const seen = await Promise.race([died, late, target.recording.mark().catch(() => 'hangs' as const)]);
  return typeof seen === 'string'
    ? { survived: seen, heapAfter: undefined }
    : { survived: 'yes', heapAfter: seen.heapUsed };
}

/** In an orderly way if it can. */
async function stopped({ process: server }: Target): Promise<void> {
  await Promise.race([server.stop(), sleep(RECOVERY_MS)]);
  await server.stop('SIGKILL');
}
